/** Stands for a node that is not there where nodes are numbers of 32 bits. */
export const NO_NODE = 0xffff_ffff;
