/** The number that stands for a node that is not there, among nodes numbered in 32 bits. */
export const NO_NODE = 0xffff_ffff;
