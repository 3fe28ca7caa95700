/* The search of the site: all words must begin a word of the entry; headings go before text. */
const input = document.getElementById('search');
const found = document.getElementById('found');

input.addEventListener('input', () => {
  const wanted = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  const hits = wanted.length === 0 ? [] : best(wanted);
  found.replaceChildren(
    ...hits.map(({ page, anchor, heading }) => {
      const link = document.createElement('a');
      link.href = `${SITE_ROOT}/${page}#${anchor}`;
      link.textContent = heading;
      const item = document.createElement('li');
      item.append(link);
      return item;
    }),
  );
  found.hidden = hits.length === 0;
});

function best(wanted) {
  const scored = SEARCH_INDEX.map((entry) => {
    const heading = entry.heading.toLowerCase();
    const words = ` ${entry.words}`;
    const isHit = wanted.every((word) => words.includes(` ${word}`) || heading.includes(word));
    return { entry, score: isHit ? wanted.filter((word) => heading.includes(word)).length + 1 : 0 };
  });
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, 20)
    .map(({ entry }) => entry);
}
