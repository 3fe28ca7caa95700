/** Results as they leave: JSON and Arrow. What every protocol that sends them shares. */
export { encodeArrowStream } from './arrow-stream.ts';
export * from './result-json.ts';
