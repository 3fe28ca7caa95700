declare module 'postject' {
  /** Puts the bytes into an executable, as a section of that name, and tells it by the fuse that they are there. */
  export function inject(
    executable: string,
    name: string,
    bytes: Buffer,
    options: { readonly sentinelFuse: string; readonly machoSegmentName?: string },
  ): Promise<void>;
}
