/** The wire types: the lower three bits of a tag, which determine the length of the value. */
export const WIRE = {
  varint: 0,
  fixed64: 1,
  length: 2,
  startGroup: 3,
  endGroup: 4,
  fixed32: 5,
} as const;
