/** The limit: loops written by hand over typed arrays, which a loop over the bytes of the files fills. */
import { type Csr, readCsr } from '../csr.ts';
import type { OpenPeer } from '../peer.ts';
import { QUESTIONS } from '../questions.ts';

export const openPeer: OpenPeer = async () => {
  let csr: Csr | null = null;
  return {
    load: async (data) => {
      csr = readCsr(data);
    },
    reopen: async () => {
      throw new Error('nothing is kept');
    },
    run: (name, parameters) => {
      const rows = QUESTIONS.find((question) => question.name === name)!.byHand!(csr!, parameters as never);
      return () => rows;
    },
    close: () => {},
  };
};
