/** Tracks which variables of a plan may hold entities (nodes, relationships, or values that contain them). */
export class BoundNames {
  private readonly scalars = new Set<string>();
  private readonly entities = new Set<string>();

  /** Tells whether no value of the variable is, or contains, an entity. */
  isScalar(name: string): boolean {
    return this.scalars.has(name) && !this.entities.has(name);
  }

  addScalar(name: string): void {
    this.scalars.add(name);
  }

  /** @returns whether neither `addScalar` nor `addEntity` had been called for the name */
  addEntity(name: string): boolean {
    const isFirst = !this.entities.has(name) && !this.scalars.has(name);
    this.entities.add(name);
    return isFirst;
  }
}
