/* SPDX-License-Identifier: MIT */
/* Runs a fuzz target once on each file that is named; a crash ends the program. */
#include <stdio.h>
#include <stdlib.h>

#include "fuzz.h"

static int replay(const char *path)
{
	FILE *file = fopen(path, "rb");
	uint8_t *data;
	long size;

	if (!file)
		return -1;
	/* As large as the file and no larger, so that a read past its end is seen. */
	if (fseek(file, 0, SEEK_END) < 0 || (size = ftell(file)) < 0)
		size = 0;
	rewind(file);
	data = malloc(size ? (size_t)size : 1);
	if (!data || fread(data, 1, (size_t)size, file) != (size_t)size) {
		free(data);
		fclose(file);
		return -1;
	}
	fclose(file);
	LLVMFuzzerTestOneInput(data, (size_t)size);
	free(data);
	return 0;
}

int main(int argc, char **argv)
{
	int failed = 0;

	for (int i = 1; i < argc; i++)
		if (replay(argv[i]) < 0) {
			fprintf(stderr, "cannot read %s\n", argv[i]);
			failed++;
		}
	printf("%d passed, %d failed, 0 skipped\n", argc - 1 - failed, failed);
	return failed ? 1 : 0;
}
