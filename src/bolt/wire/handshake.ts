/**
 * The handshake: the first 20 bytes of a connection, a magic number and four proposals, each a version and how many
 * minor versions below it the client speaks too (`00 range minor major`). The answer is the chosen version, or zeros,
 * after which the connection ends. Recent clients put a proposal first (`00 00 01 FF`) that asks for a list of versions
 * instead. This server does not know it and goes on to the other proposals.
 */
import { BOLT_VERSIONS, type BoltVersion } from '../versions.ts';

/** The number of bytes of a client's handshake. */
export const HANDSHAKE_BYTES = 20;
const MAGIC = 0x6060b017;

/** Returns whether the first bytes of a connection are, or may become, a handshake. */
export function mayBeHandshake(bytes: Buffer): boolean {
  const length = Math.min(bytes.length, 4);
  return bytes.subarray(0, length).equals(MAGIC_BYTES.subarray(0, length));
}

const MAGIC_BYTES = Buffer.alloc(4);
MAGIC_BYTES.writeUInt32BE(MAGIC);

/** Returns the highest of our versions in the first proposal that has any; null if none has. */
export function chooseVersion(handshake: Buffer): BoltVersion | null {
  for (let at = 4; at < HANDSHAKE_BYTES; at += 4) {
    const [reserved, range, minor, major] = handshake.subarray(at, at + 4) as unknown as [number, number, number, number];
    if (reserved !== 0) continue;
    const known = BOLT_VERSIONS.find((version) => version.major === major && version.minor <= minor && version.minor >= minor - range);
    if (known !== undefined) return known;
  }
  return null;
}

/** Returns the answer to a handshake; `version` is null if both sides have none in common. */
export function handshakeAnswer(version: BoltVersion | null): Buffer {
  return Buffer.from([0, 0, version?.minor ?? 0, version?.major ?? 0]);
}
