/** `#given/51-ipam`: the parts of the harness that only this kata uses. */
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
export { cniCodes } from '../../node/cni/skel.ts';
