/** `#given/52-pod-network`: the parts of the harness that only this kata uses. */
export {
  type Addressing,
  attachmentInterfaces,
  bridgeConfiguration,
  changeNat,
  checkAddresses,
  checkNamespace,
  masqueradedContainers,
  mtuWords,
  natLines,
  type PairOptions,
  type RuleOwner,
} from '../../node/cni/bridge-parts.ts';
export {
  ensureMasqueradeChain,
  POD_NETWORK,
  type PodRoutes,
  ROUTE_PROTOCOL,
  writeConflist,
} from '../../node/cni/flannel.ts';
export { errorOf } from '../../node/cni/libcni.ts';
export { linkNamed } from '../../node/cni/links.ts';
export { chainName, namespaceName, ruleComment, sha512 } from '../../node/cni/names.ts';
export { readResult } from '../../node/cni/result.ts';
