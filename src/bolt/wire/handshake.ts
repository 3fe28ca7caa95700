/**
 * The first 20 bytes of a connection: a magic number and four proposals, each a version and how many minor versions below it the client
 * speaks too (`00 range minor major`). The answer is the one that is chosen, or zeros and the end. Clients of today put a proposal first
 * (`00 00 01 FF`) that asks for a list of versions instead; who does not know it goes on to the others, and so do we.
 */
import { BOLT_VERSIONS, type BoltVersion } from '../versions.ts';

/** The bytes of a client's handshake. */
export const HANDSHAKE_BYTES = 20;
const MAGIC = 0x6060b017;

/** Whether so few bytes as have come can still become a handshake. */
export function mayBeHandshake(bytes: Buffer): boolean {
  const length = Math.min(bytes.length, 4);
  return bytes.subarray(0, length).equals(MAGIC_BYTES.subarray(0, length));
}

const MAGIC_BYTES = Buffer.alloc(4);
MAGIC_BYTES.writeUInt32BE(MAGIC);

/** The version of the first proposal that has one of ours, the highest of them; null when none does. */
export function chooseVersion(handshake: Buffer): BoltVersion | null {
  for (let at = 4; at < HANDSHAKE_BYTES; at += 4) {
    const [reserved, range, minor, major] = handshake.subarray(at, at + 4) as unknown as [number, number, number, number];
    if (reserved !== 0) continue;
    const known = BOLT_VERSIONS.find((version) => version.major === major && version.minor <= minor && version.minor >= minor - range);
    if (known !== undefined) return known;
  }
  return null;
}

/** Returns the answer to a handshake; null: no version is spoken by both. */
export function handshakeAnswer(version: BoltVersion | null): Buffer {
  return Buffer.from([0, 0, version?.minor ?? 0, version?.major ?? 0]);
}
