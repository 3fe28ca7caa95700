/**
 * Returns the anchor of a heading in Markdown, as the forges make it: lower case, without punctuation, words joined by
 * hyphens; of a link its text.
 */
export function headingAnchor(heading: string): string {
  return heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}
