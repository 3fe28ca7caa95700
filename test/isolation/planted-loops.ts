/**
 * Preloaded into a server: makes toUpper() loop for ever over the text `endless loop`, and allocate for ever over
 * `endless allocation`, without a look at any limit. So a statement can hang a thread wherever it runs, as a fault of
 * generated code or of a function would.
 */
const { toUpperCase } = String.prototype;

Object.defineProperty(String.prototype, 'toUpperCase', {
  value(this: string): string {
    if (String(this) === 'endless loop') for (;;);
    if (String(this) === 'endless allocation') for (const all: unknown[] = []; ; ) all.push({ all: [all.length] });
    return toUpperCase.call(this);
  },
});
