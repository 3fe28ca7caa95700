/** BM25 as Lucene 9 reckons it, in 32-bit floats in the same order, so that scores are the same to the last bit. */
import { CODED_LENGTHS } from '../postings/field-length.ts';

const K1 = Math.fround(1.2);
const B = Math.fround(0.75);
const { fround } = Math;

/** The statistics of one field, over all documents that a reader sees. */
export interface FieldStatistics {
  /** Documents that have a term in the field. */
  readonly documents: number;
  /** Terms in the field, of all documents. */
  readonly totalLength: number;
}

/** Returns the inverse document frequency of a term. */
export function idf({ documents }: FieldStatistics, documentsWithTerm: number): number {
  return fround(Math.log(1 + (documents - documentsWithTerm + 0.5) / (documentsWithTerm + 0.5)));
}

/** How much the length of a field weighs, by its code. */
export function lengthWeights({ documents, totalLength }: FieldStatistics): Float32Array {
  const average = fround(totalLength / documents);
  const weights = new Float32Array(256);
  for (let code = 0; code < 256; code++) {
    const share = fround(fround(B * CODED_LENGTHS[code]!) / average);
    weights[code] = fround(1 / fround(K1 * fround(fround(1 - B) + share)));
  }
  return weights;
}

/** @param weight the boost times the idf */
export function bm25(weight: number, frequency: number, lengthWeight: number): number {
  return fround(weight - fround(weight / fround(1 + fround(frequency * lengthWeight))));
}
