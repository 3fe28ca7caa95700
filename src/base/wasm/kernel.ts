/** Kernels in WebAssembly, as `npm run build:kernels` makes modules of their texts. */

/** The parts of the WebAssembly interface that are used here; Node's types leave it out. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};

/** Bytes of a page of the memory of a module, by which it grows. */
export const WASM_PAGE_BYTES = 65_536;

/**
 * Compiles a module once. Returns what makes instances of it, each with a memory of its own, and answers with what they
 * export.
 *
 * @param module in base64
 */
export function compileKernel(module: string): () => unknown {
  const compiled = new WebAssembly.Module(Buffer.from(module, 'base64'));
  return () => new WebAssembly.Instance(compiled).exports;
}
