/** Names of variables, by whether their values hold entities. */
export class BoundNames {
  private readonly scalars = new Set<string>();
  private readonly entities = new Set<string>();

  /** No value of the variable is, or contains, an entity. */
  isScalar(name: string): boolean {
    return this.scalars.has(name) && !this.entities.has(name);
  }

  addScalar(name: string): void {
    this.scalars.add(name);
  }

  /** @returns whether nothing was known of the name */
  addEntity(name: string): boolean {
    const isFirst = !this.entities.has(name) && !this.scalars.has(name);
    this.entities.add(name);
    return isFirst;
  }
}
