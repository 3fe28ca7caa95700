/** Stands for a node that does not exist, among nodes that are numbered in 32 bits. */
export const NO_NODE = 0xffff_ffff;
