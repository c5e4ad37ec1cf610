/** `#given/52-pod-network`: the parts of the harness that only this kata uses. */

// From level 1 on: the words of an MTU (1), the options of a pair (2), addresses and gateways (3), the configuration, the
// namespace and the result of a command (4), the rules of the table nat (5), the last check of CHECK, and owners for GC (6).
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
// From level 7 on: the routes of an agent (7), its rules and the network configuration (8).
export {
  ensureMasqueradeChain,
  POD_NETWORK,
  type PodRoutes,
  ROUTE_PROTOCOL,
  writeConflist,
} from '../../node/cni/flannel.ts';
// Level 3: the error of another plugin.
export { errorOf } from '../../node/cni/libcni.ts';
// From level 1 on: the links of a namespace.
export { linkNamed } from '../../node/cni/links.ts';
// From level 2 on: names of interfaces and namespaces (2), of chains and comments of rules (5).
export { chainName, namespaceName, ruleComment, sha512 } from '../../node/cni/names.ts';
// Level 4: the result of another plugin.
export { readResult } from '../../node/cni/result.ts';
