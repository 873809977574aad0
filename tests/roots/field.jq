# SPDX-License-Identifier: MIT
# What a field case demands of its documents (one for each candidate of the work, else one).
# In: the documents.  $case, $rows (NAME.tsv), $waiting and $verdicts (field/*.tsv).
# Out: "ok|not ok|waiting TAB test TAB detail".
def table($text): [$text | splits("\n") | select(length > 0 and (startswith("#") | not)) | split("\t")];
# The planned work is given as flags: no file of the tree tells it.
def place: if .[2] == "-" or .[2] == "plan.txt" then null elif .[2] | startswith("coldswap/") then "\(.[2]):\(.[3])" else "/\(.[2]):\(.[3])" end;
def bad: .verdict == "warn" or .verdict == "fail" or .verdict == "unknown";
def at($place): . == $place or startswith($place + ":") or startswith($place + " ") or startswith($place + ",");
# Does a finding speak of a row's line, or of its object where no file of the tree tells it?
def cites($row): ($row | place) as $place
	| if $place then (.subject | at($place)) or any(.evidence[]; (.source // "") | at($place))
	  else ([.subject, .summary, (.evidence[] | .observed // "")] | join("\n") | contains($row[4] | rtrimstr(" "))) end;
def badness: {"skip": 0, "pass": 1, "ok": 1, "warn": 2, "unknown": 3, "fail": 4}[.];
def worst: max_by(badness) // "pass";
def name: "\(.[1]) \(if .[2] == "-" then .[4] else "\(.[2]):\(.[3])" end) \(.[4])" | gsub("\\s+"; " ");

. as $documents
| [table($rows)[] | select(.[0] == "row")] as $all
| (reduce (table($waiting)[] | select(.[0] == $case)) as $w ({}; .["\($w[1]):\($w[2]) \($w[3])"] = $w[4])) as $kinds
| [$all[] | . + [$kinds["\(.[2]):\(.[3]) \(.[4])"]]] as $all
| [$documents[] | [.steps[].findings[] | select(bad)]] as $found
| ($all[]
   | . as $row
   | [$all[] | select(.[1] != "ok" and .[6] == null and place == ($row | place) and place != null)] as $same
   | [$found[] | [.[] | select(cites($row))]] as $hits
   | if $row[6] != null then "waiting\t\(name)\tfor \($row[6])"
     elif $row[1] == "ok" then
       if all($hits[]; length <= ($same | length)) then "ok\t\(name)"
       else "not ok\t\(name)\tmust be left alone: \([$hits[][] | "\(.verdict) \(.id) \(.subject): \(.summary)"] | unique | join("; "))" end
     elif any($hits[][]; .verdict == $row[1]) and all($hits[][]; .verdict as $v | $same == [] or any($same[]; .[1] == $v)) then "ok\t\(name)"
     else "not ok\t\(name)\tfound: \([$hits[][] | "\(.verdict) \(.id) \(.subject): \(.summary)"] | unique | join("; "))" end),
  # The verdict: of the whole document when no row waits for another kind, else of the kinds that exist.
  ([$all[] | select(.[6] == null and .[1] != "ok")] as $now
   | ([table($verdicts)[] | select(.[0] == $case)]) as $told
   | ([table($rows)[] | select(.[0] == "kind") | .[1]]) as $own
   | select($told != [] or all($all[]; .[6] == null))
   | range($documents | length) as $i
   | (if $told != [] then $told[$i][1] else [$now[] | .[1]] | worst end | if . == "ok" then "pass" else . end) as $want
   | ($documents[$i].verdict | if . == "skip" then "pass" else . end) as $have
   | ([$documents[$i].steps[] | select($documents[$i].command == "check" or (.kind | IN("names.fstab", "names.boot", "disk.ports"))) | .verdict]
      | worst | if . == "skip" then "pass" else . end) as $kinds_own
   | if $have == $want and $kinds_own == $want then "ok\tverdict/\($i + 1)"
     else "not ok\tverdict/\($i + 1)\tis \($have) (of the kinds that judge names and ports: \($kinds_own)), must be \($want): \([$found[$i][] | "\(.verdict) \(.id) \(.subject)"] | join("; "))" end)
