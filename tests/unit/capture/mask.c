/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "capture/mask.h"

static char *const tops[] = { (char[]){ "etc" }, (char[]){ "data" }, (char[]){ "srv" }, NULL };
static const struct mask mask = { tops };

static void check(enum hold hold, const char *text, const char *want)
{
	AUTO_BUF got = BUF_INIT;

	cr_assert_eq(mask_text(&mask, hold, text, strlen(text), &got), 0);
	cr_expect_str_eq(buf_text(&got), want);
}

Test(mask, a_name_gives_a_secret_away)
{
	static const char *const secret[] = {
		"token",        "K3S_TOKEN", "--password",         "db-pass", "pwd",
		"clientSecret", "api-key",   "etcd-s3-secret-key", "PSK",     "rd.iscsi.password"
	};
	static const char *const plain[] = { "path",           "passno",  "key",
					     "keyfile-offset", "compass", "ID_FS_UUID",
					     "pinned",         "author",  "" };

	for (size_t i = 0; i < ELEMENTS(secret); i++)
		cr_expect(mask_is_secret_name(
				  (struct span){ secret[i], secret[i] + strlen(secret[i]) }),
			  "%s", secret[i]);
	for (size_t i = 0; i < ELEMENTS(plain); i++)
		cr_expect_not(
			mask_is_secret_name((struct span){ plain[i], plain[i] + strlen(plain[i]) }),
			"%s", plain[i]);
}

Test(mask, a_path_is_no_secret_but_a_secret_may_look_like_one)
{
	static const char path[] = "/data/k3s", list[] = "/etc:/srv/x", secret[] = "/9j/4AAQSkZJRg";

	cr_expect(mask_is_path(&mask, (struct span){ path, path + strlen(path) }));
	cr_expect(mask_is_path(&mask, (struct span){ list, list + strlen(list) }));
	cr_expect_not(mask_is_path(&mask, (struct span){ secret, secret + strlen(secret) }));
}

Test(mask, text)
{
	check(HOLD_TEXT, "//nas/a /mnt/a cifs user=u,password=x y,nofail 0 0\n",
	      "//nas/a /mnt/a cifs user=u,password=REMOVED y,nofail 0 0\n");
	check(HOLD_TEXT, "a credentials=/etc/cred,ro\n", "a credentials=/etc/cred,ro\n");
	check(HOLD_TEXT, "https://u:p@h/x https://h/y@z\n", "https://REMOVED@h/x https://h/y@z\n");
	check(HOLD_TEXT, "password_pbkdf2 root grub.x\npasswords of all\n",
	      "password_pbkdf2 REMOVED\npasswords of all\n");
	check(HOLD_TEXT, "a\n-----BEGIN KEY-----\nMII\nxyz\n-----END KEY-----\nb\n",
	      "a\n-----BEGIN REMOVED\n\n\n-----END KEY-----\nb\n");
	check(HOLD_TEXT, "UUID=1 / ext4 defaults 0 1\n", "UUID=1 / ext4 defaults 0 1\n");
}

Test(mask, a_unit)
{
	check(HOLD_UNIT, "Environment=A=/data/x B=y \"C=d e\"\n",
	      "Environment=A=/data/x B=REMOVED \"C=REMOVED REMOVED\"\n");
	check(HOLD_UNIT, "#Environment=OLD=x\nEnvironmentFile=-/etc/default/x\n",
	      "#Environment=OLD=REMOVED\nEnvironmentFile=-/etc/default/x\n");
	check(HOLD_UNIT, "ExecStart=/x --data-dir /data --token t,u \\\n  --secret=s -v\n",
	      "ExecStart=/x --data-dir /data --token REMOVED \\\n  --secret=REMOVED -v\n");
	check(HOLD_UNIT, "ExecStart=/x '--token' \\\n\t'a b' \\\n\t--go\n",
	      "ExecStart=/x '--token' \\\n\t'REMOVED' \\\n\t--go\n");
	check(HOLD_UNIT, "ExecStart=/x --use-token --next y\nAfter=a\n",
	      "ExecStart=/x --use-token --next y\nAfter=a\n");
	check(HOLD_UNIT, "ExecStart=/x --token\nUser=me\n", "ExecStart=/x --token\nUser=me\n");
	check(HOLD_UNIT, "Environment=", "Environment=");
	check(HOLD_UNIT, "Environment=A=\"open", "Environment=A=\"REMOVED");
}

Test(mask, yaml)
{
	check(HOLD_YAML, "token: abc # note\ndata-dir: /data\n",
	      "token: REMOVED # note\ndata-dir: /data\n");
	check(HOLD_YAML, "token: |\n  a\n  b\nnext: c\n",
	      "token: |\n  REMOVED\n  REMOVED\nnext: c\n");
	check(HOLD_YAML, "- {name: A, value: b}\n", "- {name: A, value: REMOVED}\n");
	check(HOLD_YAML, "value: /data/x\nvalue: \"q\"\n", "value: /data/x\nvalue: \"REMOVED\"\n");
	check(HOLD_YAML, "- --token\n- abc\n- next\n", "- --token\n- REMOVED\n- next\n");
	check(HOLD_YAML, "secret:\n  secretName: x\n  path: /data\n",
	      "secret:\n  secretName: REMOVED\n  path: /data\n");
}

Test(mask, json_stays_json)
{
	check(HOLD_JSON, "{\"token\":\"a,b\",\"n\":1}", "{\"token\":\"REMOVED\",\"n\":1}");
	check(HOLD_JSON, "{\"value\": 12, \"token\": {\"x\": 1}}",
	      "{\"value\": 0, \"token\": {\"x\": 1}}");
	check(HOLD_JSON, "{\"Environment\": [\"A=b\", \"C=/data/x]\", \"D=e]\"], \"F\": [\"g\"]}",
	      "{\"Environment\": [\"A=REMOVED\", \"C=/data/x]\", \"D=REMOVED]\"], \"F\": [\"g\"]}");
	check(HOLD_JSON, "{\"Environment\": [], \"A\": 1}", "{\"Environment\": [], \"A\": 1}");
	check(HOLD_JSON, "[\"--token\", \"x\", \"--pass=a,b\"]",
	      "[\"--token\", \"REMOVED\", \"--pass=REMOVED\"]");
	check(HOLD_JSON, "{\"l\":\"{\\\"value\\\":\\\"x\\\"}\"}",
	      "{\"l\":\"{\\\"value\\\":\\\"REMOVED\\\"}\"}");
}

Test(mask, crypttab)
{
	check(HOLD_CRYPTTAB, "a UUID=1 none luks\nb /dev/sdb /etc/k luks\nc /dev/sdc s3cret luks\n",
	      "a UUID=1 none luks\nb /dev/sdb /etc/k luks\nc /dev/sdc REMOVED luks\n");
	check(HOLD_CRYPTTAB, "# c\n\nd /dev/sdd\n", "# c\n\nd /dev/sdd\n");
}

Test(mask, what_is_not_known_keeps_its_keys_and_paths)
{
	check(HOLD_GUARDED, "A=b\nexport C=\"/data/x y\"\n# OLD=x\nc2VjcmV0==\n",
	      "A=REMOVED\nexport C=\"/data/x REMOVED\"\n#\nREMOVED\n");
	check(HOLD_GUARDED, "ARGS=--data-dir=/data/x -pSecret --go\n",
	      "ARGS=--data-dir=/data/x REMOVED --go\n");
	check(HOLD_NEVER, "x", "");
}
