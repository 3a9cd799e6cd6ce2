"""What a report looks like: on paper, on a phone, in the dark. Maps stay on white."""

STYLE = """\
:root { color-scheme: light dark; --ground: #ffffff; --text: #1c2530; --quiet: #56616e; --line: #d5dbe2; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #14181d; --text: #e6eaee; --quiet: #a3adb8; --line: #39424c; }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--ground); color: var(--text);
  font: 15px/1.5 "Noto Sans", "Noto Sans CJK SC", system-ui, sans-serif; overflow-wrap: anywhere;
}
main { max-width: 1080px; margin: 0 auto; padding: 24px 20px 48px; }
h1 { font-size: 24px; line-height: 1.3; margin: 0 0 4px; font-weight: 600; }
h2 { font-size: 17px; margin: 28px 0 8px; font-weight: 600; }
.quiet, figcaption { color: var(--quiet); font-size: 13px; }
p { margin: 0; }
figure { margin: 0; }
figcaption { flex-basis: 100%; margin-top: 6px; max-width: 90ch; }
.maps { display: flex; flex-wrap: wrap; gap: 8px; align-items: flex-start; }
.maps svg { max-width: 100%; height: auto; }
.grid { overflow-x: auto; }
.grid svg { display: block; width: 100%; min-width: 560px; height: auto; }
svg { background: #ffffff; border-radius: 4px; }
.table { overflow-x: auto; margin-bottom: 14px; }
table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; }
th, td { padding: 3px 10px; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--line); }
th { font-weight: 600; }
tbody th { text-align: left; font-weight: 400; padding-left: 0; }
dl { margin: 0; font-size: 13px; }
dl div { display: flex; gap: 12px; padding: 3px 0; border-bottom: 1px solid var(--line); }
dt { flex: 0 0 150px; color: var(--quiet); }
dd { margin: 0; min-width: 0; }
@page { size: A4; margin: 15mm; }
@media print {
  :root { color-scheme: light; --ground: #ffffff; --text: #000000; --quiet: #000000; --line: #bbbbbb; }
  * { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
  body { font-size: 10pt; }
  main { max-width: none; padding: 0; }
  h1 { font-size: 16pt; }
  h2 { font-size: 12pt; margin-top: 6mm; break-after: avoid; }
  .maps { gap: 2mm; }
  .grid, .table { overflow: visible; }
  .grid svg { min-width: 0; }
  svg, tr, dl, dl div, .table { break-inside: avoid; }
  dl { columns: 2; column-gap: 8mm; }
  figcaption, table, dl, .quiet { font-size: 8pt; }
  th, td { padding: 0.6mm 2mm; }
}
"""
