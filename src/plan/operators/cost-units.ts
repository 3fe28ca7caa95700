/**
 * The cost model: work per row of each kind of operator, in units of one sequential step over a typed array (about a
 * nanosecond). Costs are relative; the sum over a plan is what join ordering minimises.
 */

/** A row of a sequential scan. */
export const SCAN_ROW = 1;
/** A lookup by index or id, however many rows it finds. */
export const SEEK = 20;

/** The cost of a row that a seek finds. */
export const SEEK_ROW = 2;
/** A row of a union of seeks: its node is kept, so that each node is handed on once. */
export const UNION_ROW = 150;
/** Starting to expand from a node: two random reads of offsets. */
export const EXPAND_NODE = 4;

/** The cost of a row of an expand. */
export const EXPAND_ROW = 1.5;
/** Looking for the relationships between two given nodes: marks and probes, or a binary search. */
export const EXPAND_INTO = 8;

/** The cost of a node of a variable-length expand. */
export const VARIABLE_EXPAND_NODE = 20;

/** The cost of a row of a variable-length expand. */
export const VARIABLE_EXPAND_ROW = 6;
/** A predicate on a property of a node reached at random. */
export const FILTER = 3;
/** A predicate with a sub-plan. */
export const FILTER_SUBPLAN = 40;

/** The cost of a row that a hash join keeps. */
export const HASH_BUILD_ROW = 150;

/** The cost of a row that a hash join looks up. */
export const HASH_PROBE_ROW = 60;
/** A row that a hash join gives: its fields are read from the object of the kept row. */
export const HASH_JOINED_ROW = 60;
/** The cost of a row that a join by node keeps: kept rows hold one node and nothing else, and are counted by its ordinal. */
export const NODE_JOIN_BUILD_ROW = 30;

/** The cost of a row that a join by node looks up. */
export const NODE_JOIN_PROBE_ROW = 10;

/** The cost of a row of a cartesian product. */
export const PRODUCT_ROW = 1;

/** The cost of a search for a shortest path. */
export const SHORTEST_PATH = 2000;
