import { type ComparedRow, misused, NO_CREATION, names, row } from './compared-row.fixture.ts';

const ROBOT = '--as=system:serviceaccount:default:robot';

/** The claims of a token, without its identifier and its times; without a newline, which only a terminal gets. */
const tokenless = (text: string): string => {
  const [, claims = ''] = text.trim().split('.');
  if (claims === '') return text;
  const { jti: _, iat, nbf, exp, ...rest } = JSON.parse(Buffer.from(claims, 'base64url').toString());
  return names(JSON.stringify({ ...rest, seconds: exp - iat }, null, 1));
};

/** Rows about service accounts, roles, bindings, and the rights that come from them. */
export const rights: readonly ComparedRow[] = [
  row('create serviceaccount robot'),
  row('create sa robot'),
  row('create sa robot --dry-run=client -o yaml', { changes: [NO_CREATION] }),
  row(`get pods ${ROBOT}`),
  row(`delete pod nope ${ROBOT}`),
  row(`create namespace green ${ROBOT}`),
  row('get pods --as-group=robots'),
  row('create role reader --verb=get,list --resource=pods,deployments.apps,pods/log'),
  row('create role named --verb=get --resource=secrets --resource-name=a --resource-name=b'),
  row('create role all --verb=get,* --resource=*'),
  row('create role odd --verb=fly --resource=pods'),
  row('create role r --verb=get --resource=deploy --dry-run=client -o yaml', { changes: [NO_CREATION] }),
  row('create role r --verb=get --resource=nope'),
  row('create role r --verb=get --resource=deployments.nope'),
  row('create role r --verb=bind --resource=pods'),
  row('create role r --resource=pods'),
  row('create role r --verb=get'),
  row('create rolebinding readers --role=reader --serviceaccount=default:robot --user=jane --group=g'),
  row('create rolebinding r --role=reader --clusterrole=view'),
  row('create rolebinding r --role=reader --serviceaccount=robot'),
  row('create rolebinding r --clusterrole=view --user=jane --dry-run=client -o yaml', {
    changes: [NO_CREATION],
  }),
  row('create clusterrole nodes --verb=get,list --resource=nodes'),
  row('create clusterrole paths --verb=get --non-resource-url=/logs/*'),
  row('create clusterrole p --verb=get --non-resource-url=logs'),
  row('create clusterrole p --verb=watch --non-resource-url=/logs'),
  row('create clusterrole p --verb=get'),
  row('create clusterrole sum --aggregation-rule=a=b'),
  row('create clusterrole sum2 --aggregation-rule=a=b --verb=get'),
  row('create clusterrole p --verb=get --resource=nodes --dry-run=client -o yaml', {
    changes: [NO_CREATION],
  }),
  row('create clusterrolebinding nodes --clusterrole=nodes --serviceaccount=default:robot'),
  row('create clusterrolebinding n --clusterrole=nodes --user=u --dry-run=client -o yaml', {
    changes: [NO_CREATION],
  }),
  misused('create clusterrolebinding n'),
  row(`get pods ${ROBOT}`),
  row(`get nodes ${ROBOT}`),
  row(`get secrets ${ROBOT}`),
  row(`create role r --verb=get --resource=secrets ${ROBOT}`),
  row(`create rolebinding r --role=reader --user=u ${ROBOT}`),
  row('get role,rolebinding'),
  row(`auth can-i list pods ${ROBOT}`),
  row(`auth can-i list pods ${ROBOT} -n kube-system`),
  row(`auth can-i get pods --subresource=log ${ROBOT}`),
  row(`auth can-i get secrets/a ${ROBOT}`),
  row('auth can-i create deploy'),
  row("auth can-i '*' '*'"),
  row('auth can-i list nodes'),
  row('auth can-i fly pods'),
  row('auth can-i get nope'),
  row('auth can-i get nope.group'),
  row('auth can-i get /healthz --as=jane'),
  row('auth can-i get /secret --as=jane'),
  row('auth can-i impersonate users'),
  row('auth can-i list pods -A --as=jane'),
  row('auth can-i list pods -q'),
  row('auth can-i list'),
  row('auth can-i list pods --no-headers'),
  row('auth can-i --list pods'),
  row('auth can-i --list -q'),
  row('auth can-i --list'),
  row(`auth can-i --list ${ROBOT}`),
  row('auth can-i --list --no-headers --as=jane'),
  row('auth whoami'),
  row(`auth whoami ${ROBOT}`),
  row('create token robot', { normalise: tokenless }),
  row('create token robot --duration=10m --audience=a --audience=b', { normalise: tokenless }),
  row('create token robot --duration=1m'),
  row('create token robot --duration=-1s'),
  row('create token robot --bound-object-kind=Secret'),
  row('create token robot --bound-object-kind=Deployment --bound-object-name=a'),
  row('create token robot --bound-object-name=a'),
  row('create token nope'),
  row(`create token robot ${ROBOT}`),
];
