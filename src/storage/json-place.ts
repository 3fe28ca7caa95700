/** A cursor over parsed JSON that checks what it reads; every failure is CORRUPTION with the object and the member's path. */
import { corruption } from './faults.ts';

/** A place in the JSON of one object. Its path is built only for an error: a large manifest has a hundred thousand places. */
export class Place {
  readonly value: unknown;
  readonly #parent: Place | null;
  /** The step from the parent: the name of a member, the number of a list entry; at the root the key of the object. */
  readonly #step: string | number;

  constructor(parent: Place | null, step: string | number, value: unknown) {
    this.#parent = parent;
    this.#step = step;
    this.value = value;
  }

  fail(expected: string): never {
    const steps: (string | number)[] = [];
    let place: Place = this;
    for (; place.#parent !== null; place = place.#parent) steps.unshift(place.#step);
    const path = steps.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
    throw corruption(String(place.#step), `${path.slice(1) || 'it as a whole'} is not ${expected}`);
  }

  member(name: string): Place {
    const { value } = this;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return this.fail('an object');
    const found = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
    return new Place(this, name, found);
  }

  optional<T>(name: string, parse: (place: Place) => T): T | undefined {
    const place = this.member(name);
    return place.value === undefined ? undefined : parse(place);
  }

  list<T>(parse: (place: Place) => T): T[] {
    if (!Array.isArray(this.value)) return this.fail('a list');
    return this.value.map((value, index) => parse(new Place(this, index, value)));
  }

  count(): number {
    return Number.isSafeInteger(this.value) && (this.value as number) >= 0 ? (this.value as number) : this.fail('a count');
  }

  text(): string {
    return typeof this.value === 'string' ? this.value : this.fail('text');
  }

  /** Reads the name of a label, a type or a property key. */
  name(): string {
    const text = this.text();
    return text !== '' && text.isWellFormed() ? text : this.fail('a name');
  }

  flag(): boolean {
    return typeof this.value === 'boolean' ? this.value : this.fail('true or false');
  }

  record(): Readonly<Record<string, unknown>> {
    const { value } = this;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return this.fail('an object');
    return value as Record<string, unknown>;
  }
}
