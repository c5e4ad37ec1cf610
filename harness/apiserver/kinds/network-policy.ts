import type * as networking from '#api/networking/v1';
import { isValidCIDR } from '../../api/ip.ts';
import { contains, type IPPrefix, parsePrefix } from '../../api/ip-prefix.ts';
import { isValidPortName, isValidPortNum } from '../../api/names.ts';
import type { NetworkPolicy } from '../../api/objects.ts';
import { networkPolicies } from '../../api/plain-resources.ts';
import type { Cause } from '../../api/status.ts';
import { mapItems, withChanged, withDefaults } from '../copy-on-write.ts';
import { declareKind } from '../declare/declare-kind.ts';
import { each, fields, labelSelector, oneOf, optional, type Rule } from '../declare/rules.ts';
import { forbidden, invalid, invalidEach, required as missing } from '../validation/field-error.ts';

/** Upstream: ValidateNetworkPolicyPort */
const port: Rule<networking.NetworkPolicyPort> = ({ protocol, port, endPort } = {}, path) => {
  const causes: Cause[] = [...oneOf('TCP', 'UDP', 'SCTP')(protocol, `${path}.protocol`)];
  const [at, atEnd] = [`${path}.port`, `${path}.endPort`];
  if (typeof port === 'number') {
    causes.push(...invalidEach(at, port, isValidPortNum(port)));
    if (endPort === undefined) return causes;
    // Upstream reports `port` as the invalid value.
    if (endPort < port) causes.push(invalid(atEnd, port, 'must be greater than or equal to `port`'));
    return [...causes, ...invalidEach(atEnd, endPort, isValidPortNum(endPort))];
  }
  if (endPort !== undefined) {
    const why = port === undefined ? 'not specified' : 'non-numeric';
    causes.push(invalid(atEnd, endPort, `may not be specified when \`port\` is ${why}`));
  }
  return port === undefined ? causes : [...causes, ...invalidEach(at, port, isValidPortName(port))];
};

/** Upstream: ValidateIPBlock */
const ipBlock: Rule<networking.IPBlock> = ({ cidr = '', except = [] } = {} as networking.IPBlock, path) => {
  if (!cidr) return [missing(`${path}.cidr`)];
  const whole = prefixOf(cidr);
  const causes = invalidEach(`${path}.cidr`, cidr, isValidCIDR(cidr));
  except.forEach((text, i) => {
    const at = `${path}.except[${i}]`;
    causes.push(...invalidEach(at, text, isValidCIDR(text)));
    const part = prefixOf(text);
    if (!whole || !part) return;
    if (contains(whole, part.ip) && whole.bits < part.bits) return;
    causes.push(invalid(at, text, 'must be a strict subset of `cidr`'));
  });
  return causes;
};

function prefixOf(cidr: string): IPPrefix | undefined {
  return isValidCIDR(cidr).length > 0 ? undefined : parsePrefix(cidr);
}

/** Requires selectors for pods, namespaces or both; or an IP block. Upstream: ValidateNetworkPolicyPeer */
const peer: Rule<networking.NetworkPolicyPeer> = (peer = {}, path) => {
  const { podSelector, namespaceSelector, ipBlock } = peer;
  const causes = peerFields(peer, path);
  if (!podSelector && !namespaceSelector && !ipBlock)
    return [...causes, missing(path, 'must specify a peer')];
  if (!ipBlock || (!podSelector && !namespaceSelector)) return causes;
  return [...causes, forbidden(path, 'may not specify both ipBlock and another peer')];
};

const peerFields = fields<networking.NetworkPolicyPeer>({
  podSelector: optional(labelSelector),
  namespaceSelector: optional(labelSelector),
  ipBlock: optional(ipBlock),
});

const policyTypes: Rule<readonly string[]> = (types = [], path) =>
  types.length > 2
    ? [invalid(path, types, 'may not specify more than two policyTypes')]
    : each(oneOf('Ingress', 'Egress'))(types, path);

/**
 * The kind NetworkPolicy.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/networking/networkpolicy/strategy.go,
 * pkg/apis/networking/v1/defaults.go SetDefaults_NetworkPolicy, pkg/apis/networking/validation/validation.go
 * ValidateNetworkPolicySpec
 *
 * Differs: a stored CIDR is checked against the current rules, and a non-canonical CIDR causes no warning.
 */
export const networkPolicy = declareKind<NetworkPolicy>({
  resource: networkPolicies,
  generationOf: ({ spec }) => spec,
  setDefaults: (object) => withChanged(object, 'spec', setSpecDefaults),
  rules: [
    fields<NetworkPolicy>({
      spec: fields<networking.NetworkPolicySpec>({
        podSelector: labelSelector,
        ingress: each(fields<networking.NetworkPolicyIngressRule>({ ports: each(port), from: each(peer) })),
        egress: each(fields<networking.NetworkPolicyEgressRule>({ ports: each(port), to: each(peer) })),
        policyTypes,
      }),
    }),
  ],
});

function setSpecDefaults(spec: networking.NetworkPolicySpec): networking.NetworkPolicySpec {
  const implied = spec.egress?.length ? ['Ingress', 'Egress'] : ['Ingress'];
  const typed = spec.policyTypes?.length ? spec : withDefaults(spec, { policyTypes: implied });
  const received = withChanged(typed, 'ingress', (rules) => mapItems(rules, withProtocols));
  return withChanged(received, 'egress', (rules) => mapItems(rules, withProtocols));
}

function withProtocols<T extends { ports?: networking.NetworkPolicyPort[] }>(rule: T): T {
  const ports = rule.ports && mapItems(rule.ports, (each) => withDefaults(each, { protocol: 'TCP' }));
  return ports === rule.ports ? rule : { ...rule, ports };
}
