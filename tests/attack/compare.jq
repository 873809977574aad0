# SPDX-License-Identifier: MIT
# Input: {fault, path, document} for each fault; $base is the document without one, $call what was called.
# Output: a line for each step that comes out better for it, and for each finding that is lost without a word.
# Of a comparison with what was before, each pass that is lost without another finding.
# A document that says unknown or fail where the base did not has said it.
def rank: {skip: 0, pass: 1, warn: 2, unknown: 3, fail: 4}[.];
def bad: .verdict | rank >= 2;
# What may go from pass to skip: a capture that holds nothing of it at all.
def may_skip($step; $path):
	{"copy-room": "^/coldswap/files\\.json$", "unit-state": "^/coldswap/systemd", "net-link": "^/sys/class/net",
	 "mounts-present": "^/etc/fstab$"}[$step | sub("-after$"; "")] as $re | $re != null and ($path | test($re));
def compares: IN("boot.happened", "disk.links", "mounts.expected");
# Where nothing is left that could tell that there was something to compare.
def may_lose($call; $path): $call == "verify_before" and $path == "/proc/swaps";
def all_times($id): [.findings[] | select(.id == $id)] | length;
def times($id): [.findings[] | select(.id == $id and bad)] | length;

inputs as $case | select($case.document != null)
| select(($case.document.verdict | rank) < 3 or ($case.document.verdict | rank) <= ($base[0].verdict | rank))
| ($base[0].steps[]) as $was
| ([$case.document.steps[] | select(.id == $was.id)][0]) as $is
| "\($case.fault) \($case.path)" as $what
| if $is == null then "\($what): no step \($was.id)"
else
	(select(($is.verdict | rank) < ($was.verdict | rank) and ($is.verdict != "skip" or (may_skip($was.id; $case.path) | not)))
		| "\($what): \($was.id) was \($was.verdict), is \($is.verdict): \($is.summary)"),
	(select(($is.verdict | rank) < 3) | [$was.findings[] | select(bad) | .id] | unique[] | . as $id
		| select(($is | times($id)) < ($was | times($id)))
		| "\($what): \($was.id) lost \($id)"),
	(select(($is.verdict | rank) < 3 and ($was.kind | compares)
			and ([$is.findings[] | select(bad)] | length) <= ([$was.findings[] | select(bad)] | length))
		| [$was.findings[].id] | unique[] | . as $id | select(($is | all_times($id)) < ($was | all_times($id)))
		| select(may_lose($call; $case.path) | not) | "\($what): lost \($id)")
end
