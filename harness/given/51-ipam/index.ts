/** `#given/51-ipam`: the parts of the harness that only this kata uses. */

// From level 1 on: ranges and range sets; level 5: the configuration, its reading, and a range set in an error.
export {
  formatRangeSet,
  type IpamConfiguration,
  type Range,
  type RangeConfiguration,
  type RangeRules,
  type RangeSet,
  readIpamConfiguration,
  readRangeSets,
} from '../../node/cni/ipam-configuration.ts';
// Level 6: the codes of CNI errors.
export { cniCodes } from '../../node/cni/skel.ts';
