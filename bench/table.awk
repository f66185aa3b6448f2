# table.awk - the measured rows as a table, for a terminal (form=text) or a page (form=markdown).
# Fields: row, what, unit, name of A, A, name of B, B, ratio, target, met, note.
BEGIN {
	FS = "\t"
	if (form == "markdown") {
		print "| row | what | measured against | | jari | | ratio | target | met | |"
		print "|---|---|---|---:|---|---:|---:|---|---|---|"
	} else {
		head = sprintf("%-3s  %-41s %16s %12s   %-11s %12s  %7s  %-12s %-4s %s", "row", "what", "against", "", "", "jari", "ratio", "target", "met", "")
		print head
		gsub(/./, "-", head)
		print head
	}
}
function figure(x) { return x >= 100 ? sprintf("%d", x + 0.5) : x >= 10 ? sprintf("%.1f", x) : sprintf("%.3g", x) }
function amount(x, unit) { return figure(x) (unit == "/s" ? "" : " ") unit }
{
	if (form == "markdown")
		printf "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", $1, $2, $4, amount($5, $3), $6, amount($7, $3), figure($8), $9, $10, $11
	else
		printf "%-3s  %-41s %16s %12s   %-11s %12s  %7s  %-12s %-4s %s\n", $1, $2, $4, amount($5, $3), $6, amount($7, $3), figure($8), $9, $10, $11
}
