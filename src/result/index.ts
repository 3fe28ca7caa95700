/** Results as they leave: JSON, Arrow, bookmarks. What every protocol that sends them shares. */
export { encodeArrowStream } from './arrow/encode-stream.ts';
export { type BookmarkOptions, bookmarkedSequence, bookmarkOf } from './bookmark.ts';
export * from './result-json.ts';
