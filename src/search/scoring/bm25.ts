/** BM25 as Lucene 9 computes it, in 32-bit floats and in the same order, so that scores are the same to the last bit. */
import { CODED_LENGTHS } from '../postings/field-length.ts';

const K1 = Math.fround(1.2);
const B = Math.fround(0.75);
const { fround } = Math;

/** The statistics of one field, over all documents that a reader sees. */
export interface FieldStatistics {
  /** The number of documents that have a term in the field. */
  readonly documents: number;
  /** The number of terms in the field, over all documents. */
  readonly totalLength: number;
}

/** Returns the inverse document frequency of a term. */
export function idf({ documents }: FieldStatistics, documentsWithTerm: number): number {
  return fround(Math.log(1 + (documents - documentsWithTerm + 0.5) / (documentsWithTerm + 0.5)));
}

/** Returns the weight of a field's length, for each of the 256 codes of lengths. */
export function lengthWeights({ documents, totalLength }: FieldStatistics): Float32Array {
  const average = fround(totalLength / documents);
  const weights = new Float32Array(256);
  for (let code = 0; code < 256; code++) {
    const share = fround(fround(B * CODED_LENGTHS[code]!) / average);
    weights[code] = fround(1 / fround(K1 * fround(fround(1 - B) + share)));
  }
  return weights;
}

/** Returns the score of a term in a document. @param weight the boost times the idf */
export function bm25(weight: number, frequency: number, lengthWeight: number): number {
  return fround(weight - fround(weight / fround(1 + fround(frequency * lengthWeight))));
}
