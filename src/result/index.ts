/** Results as all protocols send them: JSON, Arrow, bookmarks. */
export { encodeArrowStream } from './arrow/encode-stream.ts';
export { type BookmarkOptions, bookmarkedSequence, bookmarkOf } from './bookmark.ts';
export * from './result-json.ts';
