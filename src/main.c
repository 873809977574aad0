/* SPDX-License-Identifier: MIT */
#include <jansson.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>

#include "base/intl.h"
#include "cli/cli.h"
#include "cli/talk.h"
#include "sys/process.h"

/* A program that runs from where it was built finds its messages beside itself. */
static void bind_messages(void)
{
	const char *program = (const char *)getauxval(AT_EXECFN);
	const char *slash = program ? strrchr(program, '/') : NULL;
	AUTO_FREE char *beside = NULL;
	struct stat st;

	bind_textdomain_codeset(TEXT_DOMAIN, "UTF-8");
	if (slash && asprintf(&beside, "%.*s/locale", (int)(slash - program), program) < 0)
		beside = NULL;
	if (beside && stat(beside, &st) == 0 && S_ISDIR(st.st_mode))
		bindtextdomain(TEXT_DOMAIN, beside);
	else
		bindtextdomain(TEXT_DOMAIN, LOCALEDIR);
}

/* jansson would open /dev/urandom; the kernel has given random bytes already. */
static void seed_hashes(void)
{
	const void *random = (const void *)getauxval(AT_RANDOM);
	size_t seed = 1;

	if (random)
		memcpy(&seed, random, sizeof(seed));
	json_object_seed(seed ? seed : 1);
}

int main(int argc, char **argv)
{
	struct error err = ERROR_INIT;
	int exit_code;

	if (process_harden(&err) < 0) {
		exit_code = talk_error(&err, EXIT_SYSTEM);
		error_done(&err);
		return exit_code;
	}
	setlocale(LC_ALL, "");
	bind_messages();
	seed_hashes();
	return cli_main(argc, argv);
}
