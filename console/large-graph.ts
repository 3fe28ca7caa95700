/**
 * The drawing of many nodes: points and thin lines instead of discs and arrows. While a layout moves them all, their places go
 * straight into the arrays of the graphics card, and nothing is drawn to find what is pointed at; of the renderer, which would
 * build all its indexes anew for each frame, only the drawing is left. It is brought up to date as soon as the pointer moves or
 * `settle` is called, and for each frame while a node is marked, whose caption lies beside it.
 */
import type Graph from 'graphology';
import type Sigma from 'sigma';
import { EdgeLineProgram, NodePointProgram } from 'sigma/rendering';
import type { Settings } from 'sigma/settings';
import { boxOf, endsOf, framed, writePlaces } from './places.ts';

/** A refresh that reads the places of all nodes, and nothing else of them. */
export const PLACES_ONLY = { partialGraph: {} };

/** A refresh that only draws. */
const NOTHING_NEW = { partialGraph: {}, skipIndexation: true };

export interface LargeGraph {
  /** Settings of the renderer. */
  readonly settings: Partial<Settings>;
  /** Draws the nodes at their places, `places` and those of their attributes. `isMarked`: one of them is highlighted. */
  move(places: Float32Array, isMarked: boolean): void;
  /** Brings what the renderer knows up to the places of the nodes, if it is behind, and draws it. */
  settle(): void;
}

/** Returns how a large graph is drawn, for one renderer. */
export function largeGraph(graph: Graph): LargeGraph {
  let isMoving = false;
  let points: NodePointProgram | undefined;
  let lines: EdgeLineProgram | undefined;
  let ends: Uint32Array = new Uint32Array(0);

  class Points extends NodePointProgram {
    constructor(...options: ConstructorParameters<typeof NodePointProgram>) {
      super(...options);
      // What is highlighted is drawn by another one, which has no buffer to find it by.
      if (this.pickProgram !== null) points = this;
    }

    override render(params: Parameters<NodePointProgram['render']>[0]): void {
      const { pickProgram } = this;
      if (isMoving) this.pickProgram = null;
      super.render(params);
      this.pickProgram = pickProgram;
    }
  }
  class Lines extends EdgeLineProgram {
    constructor(...options: ConstructorParameters<typeof EdgeLineProgram>) {
      super(...options);
      lines = this;
    }
  }

  const setMoving = (sigma: Sigma, value: boolean): void => {
    isMoving = value;
    // Layers that have nothing to show meanwhile are not put together with the others.
    sigma.getContainer().classList.toggle('moving', value);
  };
  const refresh = (sigma: Sigma): void => {
    setMoving(sigma, false);
    sigma.setCustomBBox(null);
    sigma.refresh(PLACES_ONLY);
  };
  return {
    settings: { nodeProgramClasses: { circle: Points }, edgeProgramClasses: { arrow: Lines }, hideEdgesOnMove: true },
    settle() {
      if (isMoving && points !== undefined) refresh(points.renderer);
    },
    move(places, isMarked) {
      if (points === undefined || lines === undefined) return;
      const { renderer: sigma } = points;
      if (isMarked || points.capacity !== graph.order || lines.capacity !== graph.size) {
        refresh(sigma);
        return;
      }
      if (ends.length !== 2 * graph.size) ends = endsOf(graph);
      const box = boxOf(places);
      const drawn = framed(places, box);
      writePlaces(drawn, points.array, points.STRIDE);
      writePlaces(drawn, lines.array, lines.ATTRIBUTES_ITEMS_COUNT, ends);
      setMoving(sigma, true);
      sigma.setCustomBBox(box);
      sigma.refresh(NOTHING_NEW);
    },
  };
}
