/** The keys of the picture of a graph: arrows go from node to node, `+`, `-` and `0` move the camera. */
import type Sigma from 'sigma';

interface Place {
  readonly x: number;
  readonly y: number;
}

/** Directions on the screen, on which y grows downwards, indexed by key. */
export const DIRECTIONS: Readonly<Record<string, Place>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** Distance across the direction counts so many times as much as distance along it. */
const ASIDE = 2;

/**
 * Returns the node that is next in a direction from the node `from`, and shows it; null: there is none. Without `from`
 * it is the one nearest to the middle of the picture. Cost: a look at every node.
 */
export function nodeTowards(sigma: Sigma, from: string | null, direction: Place): string | null {
  const { width, height } = sigma.getDimensions();
  const start = from === null ? { x: width / 2, y: height / 2 } : placeOf(sigma, from);
  let nearest: string | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const node of sigma.getGraph().nodes()) {
    if (node === from) continue;
    const place = placeOf(sigma, node);
    const [x, y] = [place.x - start.x, place.y - start.y];
    const ahead = x * direction.x + y * direction.y;
    if (from !== null && ahead <= 0) continue;
    const distance = from === null ? Math.hypot(x, y) : ahead + ASIDE * Math.abs(x * direction.y - y * direction.x);
    if (distance < least) [nearest, least] = [node, distance];
  }
  if (nearest !== null) bringIntoSight(sigma, nearest);
  return nearest;
}

function placeOf(sigma: Sigma, node: string): Place {
  const { x, y } = sigma.getGraph().getNodeAttributes(node);
  return sigma.graphToViewport({ x, y });
}

function bringIntoSight(sigma: Sigma, node: string): void {
  const { x, y } = placeOf(sigma, node);
  const { width, height } = sigma.getDimensions();
  const shown = sigma.getNodeDisplayData(node);
  if (shown === undefined || (x >= 0 && y >= 0 && x <= width && y <= height)) return;
  sigma.getCamera().setState({ x: shown.x, y: shown.y });
}

/** Moves the camera as the key says; returns false for a key that says nothing about it. */
export function moveCamera(sigma: Sigma, key: string): boolean {
  const camera = sigma.getCamera();
  if (key === '+') void camera.animatedZoom();
  else if (key === '-') void camera.animatedUnzoom();
  else if (key === '0') void camera.animatedReset();
  else return false;
  return true;
}
