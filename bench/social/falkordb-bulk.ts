/** The format of FalkorDB's command for bulk loaders: a header and rows of one kind of node or relationship, in binary. */

/** The rows of one kind, and how many they are. */
export interface Bulk {
  readonly entities: number;
  readonly blob: Buffer;
}

const DOUBLE = 2;
const STRING = 3;
const INTEGER = 4;

/** Rows of one label or type, whose values are written in order: the two ends of a relationship, then a value for each property. */
export class BulkRows {
  entities = 0;
  private bytes = Buffer.allocUnsafe(1 << 20);
  private length = 0;

  constructor(name: string, properties: readonly string[]) {
    this.text(name);
    this.reserve(4);
    this.length = this.bytes.writeUInt32LE(properties.length, this.length);
    for (const property of properties) this.text(property);
  }

  end(place: number): void {
    this.reserve(8);
    this.length = this.bytes.writeBigUInt64LE(BigInt(place), this.length);
  }

  property(value: string | number): void {
    this.reserve(9);
    this.bytes[this.length++] = typeof value === 'string' ? STRING : INTEGER;
    if (typeof value === 'string') this.text(value);
    else this.length = this.bytes.writeBigInt64LE(BigInt(value), this.length);
  }

  double(value: number): void {
    this.reserve(9);
    this.bytes[this.length++] = DOUBLE;
    this.length = this.bytes.writeDoubleLE(value, this.length);
  }

  done(): Bulk {
    return { entities: this.entities, blob: this.bytes.subarray(0, this.length) };
  }

  private text(value: string): void {
    this.reserve(value.length + 1);
    this.length += this.bytes.write(value, this.length, 'latin1');
    this.bytes[this.length++] = 0;
  }

  private reserve(more: number): void {
    if (this.length + more <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe(this.bytes.length * 2);
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }
}
