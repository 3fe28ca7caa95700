/** Fields of CSV (RFC 4180): unquoted and empty is nothing, quoted and empty the empty text. */
export function csvField(text: string, delimiter: string): string {
  return text === '' || text.includes(delimiter) || /["\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
