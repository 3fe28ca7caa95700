/**
 * Points read from encoded values (codec.ts) without an object for each, so that a scan can measure them. A reader
 * serves one loop at a time: its fields hold a point until the next call of `read`.
 */
import { CARTESIAN_3D, WGS_84_3D } from './point.ts';

/** The tag of a point in the binary form. The SRID in two bytes of seven bits each and the coordinates follow. */
export const TAG_POINT = 0x17;
const COORDINATES_AT = 3;
const DOUBLE = 8;
const SHORTEST = COORDINATES_AT + 2 * DOUBLE;
const LONGEST = COORDINATES_AT + 3 * DOUBLE;

/** Reads points in their encoded form, one after the other, into its fields. */
export class StoredPoint {
  srid = 0;
  x = 0;
  y = 0;
  z: number | null = null;
  #bytes: Uint8Array | null = null;
  #view: DataView = new DataView(new ArrayBuffer(0));

  /** Reads the point from `at` to `end` into the fields. Returns false if the bytes are another value or an incomplete point. */
  read(bytes: Uint8Array, at: number, end: number): boolean {
    if (bytes[at] !== TAG_POINT || end - at < SHORTEST) return false;
    if (bytes !== this.#bytes) {
      this.#bytes = bytes;
      this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    }
    const srid = ((bytes[at + 1] as number) & 0x7f) | ((bytes[at + 2] as number) << 7);
    const isDeep = srid === WGS_84_3D.srid || srid === CARTESIAN_3D.srid;
    if (isDeep && end - at < LONGEST) return false;
    this.srid = srid;
    this.x = this.#view.getFloat64(at + COORDINATES_AT, true);
    this.y = this.#view.getFloat64(at + COORDINATES_AT + DOUBLE, true);
    this.z = isDeep ? this.#view.getFloat64(at + COORDINATES_AT + 2 * DOUBLE, true) : null;
    return true;
  }
}
