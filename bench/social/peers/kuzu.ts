/** Kùzu in this process. */
import { kuzuFamily } from './kuzu-family.ts';

export const openPeer = kuzuFamily('kuzu');
