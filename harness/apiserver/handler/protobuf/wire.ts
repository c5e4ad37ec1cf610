/** How the bytes of a field's value go on: what stands in the lower three bits of its tag. */
export const WIRE = {
  varint: 0,
  fixed64: 1,
  length: 2,
  startGroup: 3,
  endGroup: 4,
  fixed32: 5,
} as const;
