/** `#given/57-endpoint-slice-mirroring`: the parts of the harness that only solution 57 uses. */
export { canonicalIP } from '../../api/ip.ts';
export { SLICE } from '../../contracts/slice-labels.ts';
