# plot.awk - the measured rows as a picture: for each two bars, what it was measured against and jari.
# Each pair has a scale of its own, from zero to the longer bar.  Fields as in table.awk.
BEGIN {
	FS = "\t"
	left = 330; width = 380; step = 58; top = 46
}
function figure(x) { return x >= 100 ? sprintf("%d", x + 0.5) : x >= 10 ? sprintf("%.1f", x) : sprintf("%.3g", x) }
function safe(s) { gsub(/&/, "\\&amp;", s); gsub(/</, "\\&lt;", s); return s }
function bar(y, value, longest, class, label) {
	w = longest > 0 ? value / longest * width : 0
	if (w < 1)
		w = 1
	printf "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"16\"/>\n", class, left, y, w
	printf "<text class=\"v\" x=\"%.1f\" y=\"%d\">%s</text>\n", left + w + 6, y + 12.5, safe(label)
}
{
	n++
	unit = $3 == "/s" ? "/s" : " " $3
	what[n] = $2; target[n] = "ratio " figure($8) ($9 ? ", target " $9 : "")
	if ($1 == 4 || $1 == 7)
		target[n] = "target: " $9
	a[n] = $5; b[n] = $7; met[n] = $10
	label_a[n] = figure($5) unit "  " $4; label_b[n] = figure($7) unit "  " $6
}
END {
	height = top + n * step + 14
	printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 940 %d\" font-family=\"system-ui, sans-serif\" font-size=\"13\">\n", height
	print "<title>jari measured against its yardsticks</title>"
	print "<style>.bg{fill:#fff}.t{fill:#222}.s{fill:#666;font-size:11px}.v{fill:#333;font-size:12px}.a{fill:#b9b4aa}.b{fill:#2f7d6b}.x{fill:#b5482f}.h{fill:#222;font-size:16px;font-weight:600}" \
	      "@media(prefers-color-scheme:dark){.bg{fill:#1b1c1e}.t,.h{fill:#eee}.s{fill:#aaa}.v{fill:#ddd}.a{fill:#6a675f}.b{fill:#4fb39a}.x{fill:#e0765c}}</style>"
	printf "<rect class=\"bg\" width=\"940\" height=\"%d\"/>\n", height
	print "<text class=\"h\" x=\"20\" y=\"28\">jari (lower bar) against what it is measured by (upper bar)</text>"
	for (i = 1; i <= n; i++) {
		y = top + (i - 1) * step
		longest = a[i] > b[i] ? a[i] : b[i]
		printf "<text class=\"t\" x=\"20\" y=\"%d\">%s</text>\n", y + 16, safe(what[i])
		printf "<text class=\"s\" x=\"20\" y=\"%d\">%s</text>\n", y + 34, safe(target[i] (met[i] == "NO" ? " (not met)" : ""))
		bar(y + 4, a[i] + 0, longest + 0, "a", label_a[i])
		bar(y + 23, b[i] + 0, longest + 0, met[i] == "NO" ? "x" : "b", label_b[i])
	}
	print "</svg>"
}
