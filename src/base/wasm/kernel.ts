/** Kernels in WebAssembly, which `npm run build:kernels` compiles to modules in base64. */

/** The parts of the WebAssembly interface that are used here; Node's types leave it out. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};

/** Bytes of a page of WebAssembly memory, the unit by which the memory of a module grows. */
export const WASM_PAGE_BYTES = 65_536;

/**
 * Compiles a module once. Returns a function that makes an instance, with memory of its own, and returns its exports.
 *
 * @param module the module in base64
 */
export function compileKernel(module: string): () => unknown {
  const compiled = new WebAssembly.Module(Buffer.from(module, 'base64'));
  return () => new WebAssembly.Instance(compiled).exports;
}
