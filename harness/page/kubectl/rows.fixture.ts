import type { Row } from './twins.fixture.ts';

/** The manifests of the rows. */
export const files: Readonly<Record<string, string>> = {
  'shop.yaml': `apiVersion: apps/v1
kind: Deployment
metadata:
  name: shop
  labels: { app: shop }
spec:
  replicas: 2
  selector: { matchLabels: { app: shop } }
  template:
    metadata:
      labels: { app: shop }
    spec:
      containers:
        - name: web
          image: nginx:1.27
          ports: [{ containerPort: 80, name: http }]
          env: [{ name: GREETING, value: "yes" }, { name: IP, valueFrom: { fieldRef: { fieldPath: status.podIP } } }]
          resources: { requests: { cpu: 100m, memory: 64Mi }, limits: { memory: 128Mi } }
          readinessProbe: { httpGet: { path: /, port: 80 }, periodSeconds: 2 }
          volumeMounts: [{ name: scratch, mountPath: /scratch }]
      volumes: [{ name: scratch, emptyDir: {} }]
---
apiVersion: v1
kind: Service
metadata:
  name: shop
spec:
  selector: { app: shop }
  ports: [{ port: 80, targetPort: http }]
`,
  'texts.yaml': String.raw`apiVersion: v1
kind: ConfigMap
metadata: { name: texts }
data: {"a": "yes", "b": "012", "c": "1e3", "d": "a: b", "e": "- x", "f": "multi\nline", "g": " lead", "h": "trail ", "i": "#x", "j": "null", "k": "~", "l": "0x1f", "m": "1_000", "n": "2024-01-01", "o": "it's", "p": "\"dq\"", "q": "tab\tx", "r": "\u00e9", "s": "word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word end", "t": "@a", "u": "%x", "v": "!a", "w": "a#b", "x": "a #b", "y": "{x}", "z": "", "aa": "a\\b", "bb": "line\n\n", "cc": "\nlead", "dd": " lead\nline", "ee": "x\n", "ff": "-", "gg": "?", "hh": "a:", "ii": ".5", "jj": "1:30", "kk": "*a", "ll": "&a", "mm": "[a]", "nn": "a,b", "oo": "true", "pp": "=", "qq": "<<", "rr": "no", "ss": "1.2.3", "tt": "+1", "uu": "-1", "vv": "0o7", "ww": ".inf", "xx": "trail \nx", "yy": "a\r\nb", "zz": "| x", "ab": "> x", "ac": "\u0060x\u0060", "ad": "---", "ae": "<b>&", "af": "😀", "ag": "0b1", "ah": "12e", "ai": "1e+3", "aj": "2024-01-01T00:00:00Z", "ak": "N", "al": "o", "am": "a\tb\nc", "an": "\u00fcn\u00ef\nx", "ao": "- a\n- b\n", "ap": "\"", "aq": "'", "ar": "a  b", "as": "\\n", "at": "x:y", "au": ": x", "av": "10", "aw": "1.0", "ax": "0", "ay": "Infinity", "az": ".nan", "ba": "0x", "bc": "_1", "bd": "1_", "bf": "a: b\nc # d"}
`,
};

/** A difference between kubectl's versions. */
interface Change {
  readonly why: string;
  /** Returns the text of an older kubectl. */
  readonly older: (text: string) => string;
}

/** A row, with the reason if both may not print the same. */
export interface ComparedRow extends Row {
  /** Changes after kubectl 1.32, which the kubectl on this machine may not have. */
  readonly changes?: readonly Change[];
  /** Why the texts differ. Then they must differ. */
  readonly differs?: string;
}

const NAMESPACE_OF_DELETED: Change = {
  why: 'kubectl 1.36 names the namespace of a deleted object, 1.32 does not.',
  older: (text) => text.replace(/ from \S+ namespace$/gm, ''),
};
const FIELD_OF_EVENT: Change = {
  why: 'kubectl 1.36 describes the container of an Event, 1.32 does not.',
  older: (text) => text.replaceAll(/spec\.containers\{[^}]*\}: /g, ''),
};
const NAME_OF_PORT: Change = {
  why: 'kubectl 1.36 describes the name of a port, 1.32 does not.',
  older: (text) => text.replaceAll(/(\d+\/(?:TCP|UDP)) \([a-z-]+\)/g, '$1'),
};
const PROXY_VERSION: Change = {
  why: 'kubectl 1.32 describes the version of kube-proxy, which nodes no longer report.',
  older: (text) => text.replaceAll(/^( *Kubelet Version: .*)$/gm, '$1\n  Kube-Proxy Version:'),
};
const OPTIONAL: Change = {
  why: 'kubectl 1.36 describes whether a projected ConfigMap is optional, 1.32 prints a pointer.',
  older: (text) =>
    text.replaceAll(/^( *ConfigMapName: .*\n *)Optional: {2}false$/gm, '$1ConfigMapOptional:  <nil>'),
};
const NO_CREATION: Change = {
  why: 'kubectl 1.32 prints null for the time of an object that does not exist yet.',
  older: (text) =>
    text
      .replace(/^metadata:$/gm, 'metadata:\n  creationTimestamp: null')
      .replace(/^ {4}metadata:$/gm, '    metadata:\n      creationTimestamp: null'),
};

const CONTAINERS: Change = {
  why: 'kubectl 1.36 lists the containers that logs takes, 1.32 does not.',
  older: (text) => text.replace(/ out of: .*/, ''),
};

const EXEC_CONTAINER: Change = {
  why: 'kubectl 1.36 checks the container of exec, 1.32 lets the server check it.',
  older: (text) => text.replace(/^error: (container .*) out of: .*/m, 'Error from server (BadRequest): $1'),
};

/** Names end with random letters, and each further request of kubectl is another revision. */
const names = (text: string): string =>
  text
    .replace(/-[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, '-xxxxx')
    .replace(/(resourceVersion: |uid: |"resourceVersion": |"uid": )\S+/g, '$1…');

/** describe and events compute ages with the clock of the machine. */
const ages = (text: string): string =>
  names(text)
    .replace(/\b\d+[smhd](\d+[smhd])?\b/g, 'AGE')
    .replace(/(\S) {2,}/g, '$1  ')
    .replace(/ +$/gm, '');

/** The scheduler chooses at random between equal nodes. */
const placeless = (text: string): string =>
  ages(text)
    .replace(/node-\d\b/g, 'node-N')
    .replace(/\b(10\.244|192\.168)\.\d+\.\d+/g, '$1.N.N')
    .replace(/containerd:\/\/[0-9a-f]+/g, 'containerd://…')
    .replace(/ in \d+ms \(\d+ms including waiting\)/g, ' in … (… including waiting)')
    .replace(/ in [\d.]+m?s \([\d.]+m?s including waiting\)/g, ' in … (… including waiting)');

/** The back-off of a container begins at another time. */
const timeless = (text: string): string =>
  placeless(text)
    .replace(/\d\d:\d\d:\d\d/g, 'TIME')
    .replace(/\([0-9a-f-]{36}\)/g, '(UID)');

/** Rows of objects with random names have no order. */
const unordered = (text: string): string => names(text).split('\n').sort().join('\n');

/** The claims of a token, without its identifier and its times; without a newline, which only a terminal gets. */
const tokenless = (text: string): string => {
  const [, claims = ''] = text.trim().split('.');
  if (claims === '') return text;
  const { jti: _, iat, nbf, exp, ...rest } = JSON.parse(Buffer.from(claims, 'base64url').toString());
  return names(JSON.stringify({ ...rest, seconds: exp - iat }, null, 1));
};

const ROBOT = '--as=system:serviceaccount:default:robot';

const WATCH = 'watch=';

const row = (line: string, more: Omit<ComparedRow, 'line'> = {}): ComparedRow => ({
  line,
  normalise: names,
  ...more,
});
const described = (
  line: string,
  changes: readonly Change[] = [],
  more: Omit<ComparedRow, 'line'> = {},
): ComparedRow => row(line, { normalise: ages, changes, ...more });
const waiting = (line: string, more: Omit<ComparedRow, 'line'> = {}): ComparedRow =>
  row(line, { waits: WATCH, ...more });
const deleting = (line: string): ComparedRow => waiting(line, { changes: [NAMESPACE_OF_DELETED] });

const misused = (line: string): ComparedRow =>
  row(line, { differs: 'A wrong use of a command is answered in one sentence, with the nearest right one.' });

/** All rows, in execution order. */
export const all: readonly ComparedRow[] = [
  row('get all -A'),
  row('create deployment web --image=nginx:1.27 --replicas=3'),
  waiting('rollout status deploy/web'),
  row('get pods -o wide'),
  described('describe deploy web'),
  // Reading
  row('get nodes'),
  row('get nodes -o wide'),
  row('get nodes -o yaml'),
  row('get pods -A'),
  row('get po,svc -A'),
  row('get deploy,rs,pods'),
  row('get all'),
  row('get pods --show-labels'),
  row('get pods -L app'),
  row('get pods --no-headers'),
  row('get pods -n kube-system -o yaml'),
  row('get cm -n kube-system coredns -o yaml'),
  row('get deploy web -o yaml'),
  row('get deploy web -o json'),
  row('get deploy -o json'),
  row('get pods -o name'),
  row('get pods -l x=y'),
  row('get pods -l x=y -o yaml'),
  row('get cm -n nowhere'),
  row('get svc kubernetes -o jsonpath={.spec.clusterIP}'),
  row(`get deploy web -o jsonpath='{range .spec.template.spec.containers[*]}{.name}{"\\n"}{end}'`),
  row('get deploy web -o custom-columns=NAME:.metadata.name,REPLICAS:.spec.replicas'),
  row('get svc -A --sort-by=.spec.clusterIP'),
  row('get pods --field-selector=status.phase=Running'),
  row('get pods nope'),
  row('get pod/nope svc/kubernetes'),
  row('get pods nope --ignore-not-found'),
  row('get pods/a svc'),
  row('get ep kubernetes'),
  described('describe pods', [FIELD_OF_EVENT, OPTIONAL]),
  described('describe pods -n kube-system', [FIELD_OF_EVENT, NAME_OF_PORT, OPTIONAL]),
  described('describe nodes', [PROXY_VERSION]),
  described('describe rs'),
  described('describe svc -A'),
  described('describe endpointslices -A'),
  described('describe cm coredns -n kube-system'),
  described('describe ns default'),
  described('describe sa default', [], {
    differs: 'Only kinds with a row in describe.ts have a description of their own.',
  }),
  described('describe lease -n kube-node-lease node-1'),
  row('describe pod nope'),
  described('events --for deploy/web'),
  row('events -n nowhere'),
  row('top nodes'),
  row('api-resources'),
  row('api-resources --namespaced=false -o wide'),
  row('api-resources --api-group=apps -o name'),
  row('logs deploy/web --tail=1'),
  row('logs nope'),
  // Changing
  row('expose deploy web --port=80'),
  row('expose deploy web --name=other'),
  row('get endpointslices', { afterMs: 2_000 }),
  described('describe svc web'),
  row('scale deploy web --replicas=2'),
  row('scale deploy/web --replicas=3 --current-replicas=7'),
  row('scale deploy nope --replicas=1'),
  row('set image deploy/web nginx=nginx:1.26'),
  row('set image deploy/web other=nginx:1.26'),
  waiting('rollout status deploy web'),
  row('rollout history deploy/web'),
  row('rollout history deploy/web --revision=2'),
  row('rollout history deploy/web --revision=7'),
  row('rollout undo deploy/web'),
  row('rollout undo deploy/web --to-revision=9'),
  waiting('rollout status deploy web'),
  row('rollout pause deploy web'),
  row('rollout pause deploy web'),
  row('rollout undo deploy web'),
  row('rollout resume deploy web'),
  row('rollout resume deploy web'),
  row('label pod -l app=web tier=front', { normalise: unordered }),
  row('label deploy web a=b'),
  row('label deploy web a=c'),
  row('label deploy web a=c --overwrite'),
  row('label deploy web a-'),
  row('label deploy web a-'),
  row('annotate deploy web note=x'),
  row('annotate deploy web note-'),
  row(`patch deploy web -p '{"spec":{"replicas":1}}'`),
  row(`patch deploy web -p '{"spec":{"replicas":1}}'`),
  row(`patch deploy web --type=json -p '[{"op":"replace","path":"/spec/replicas","value":2}]'`),
  row('cordon node-1'),
  row('cordon node-1'),
  row('get nodes'),
  row('uncordon node-1'),
  row('taint nodes node-2 a=b:NoSchedule'),
  row('taint nodes node-2 a-'),
  row('taint nodes node-2 a-'),
  row('get pods -l tier=front', { afterMs: 150_000, normalise: unordered }),
  row('top pods', { normalise: unordered }),
  row('top pods -A --containers', { normalise: unordered }),
  deleting('delete deploy/web svc/web'),
  row('get pods', { afterMs: 40_000 }),
  row('delete pod nope'),
  row('apply -f shop.yaml'),
  row('apply -f shop.yaml'),
  waiting('wait --for=condition=Available deploy/shop'),
  row('get deploy shop -o yaml', { afterMs: 5_000 }),
  described('describe deploy shop', [NAME_OF_PORT]),
  described('describe pods', [FIELD_OF_EVENT, NAME_OF_PORT, OPTIONAL], { normalise: placeless }),
  described('describe svc shop', [], { normalise: placeless }),
  deleting('delete -f shop.yaml'),
  row('create namespace blue'),
  row('create namespace blue'),
  row('create configmap c --from-literal=a=1 --from-literal=b=2'),
  row('get cm c -o yaml'),
  described('describe cm c', [], { normalise: unordered }),
  row('apply -f texts.yaml'),
  row('get cm texts -o yaml'),
  row('get cm texts -o json'),
  row('get cm texts -o jsonpath={.data}'),
  row('create deployment d --image=nginx --dry-run=client -o yaml', { changes: [NO_CREATION] }),
  row('create deployment d --image=nginx --port=80 --dry-run=server'),
  row('create namespace d --dry-run=client -o yaml', { changes: [NO_CREATION] }),
  row('create configmap d --from-literal=a=b --dry-run=client -o yaml', { changes: [NO_CREATION] }),
  row('run p --image=nginx --port=80 --dry-run=client -o yaml', { changes: [NO_CREATION] }),
  row('run x --image=nginx --restart=Never'),
  waiting('wait --for=condition=Ready pod/x'),
  row('get pod x -o yaml'),
  row('logs x'),
  row('logs x --timestamps'),
  row('logs x -c nope', { changes: [CONTAINERS] }),
  row('exec x -- hostname'),
  row(`exec x -- sh -c 'echo out; echo err >&2; exit 3'`),
  deleting('delete pod x --now'),
  row('get pods -w', { waits: WATCH, interruptedAfterMs: 1_000 }),
  row('get pods -n kube-system -w --output-watch-events', { waits: WATCH, interruptedAfterMs: 1_000 }),
  row('drain node-2 --ignore-daemonsets --timeout=20s', { waits: '/eviction', normalise: unordered }),
  deleting('delete ns blue'),
  row('get rs -o wide', { normalise: unordered }),
  row('get ns'),
  row('get ns -o yaml'),
  row('get sa,cm,secrets,leases -A', { normalise: unordered }),
  row('get priorityclass,sc,pv,pvc,ing,netpol,hpa,cj,jobs,ds,sts,pdb,quota,limits'),
  row('get csinodes,runtimeclass'),
  row('get endpoints -A'),
  row('label node node-1 disk=ssd'),
  row('get nodes -l disk=ssd -L disk'),
  row('get nodes --show-kind'),
  row('get nodes -o name --no-headers'),
  row('get node node-1 -o jsonpath={.status.addresses[0].address}--{.status.capacity.cpu}'),
  row('get nodes -o jsonpath={.items[*].metadata.name}'),
  row('create -f shop.yaml'),
  row('create -f shop.yaml'),
  row('get -f shop.yaml -o name'),
  row('apply -f shop.yaml --dry-run=client'),
  row('apply -f shop.yaml --dry-run=server'),
  row('apply -f shop.yaml'),
  row('apply -f shop.yaml --server-side', { differs: 'The advice about conflicts is one sentence.' }),
  row('apply -f shop.yaml --server-side --force-conflicts'),
  row('apply -f shop.yaml -o name'),
  row('scale deploy --all --replicas=1'),
  waiting('rollout status deploy/shop'),
  row('logs -l app=shop', { normalise: unordered }),
  row('logs deploy/shop --all-containers --prefix --tail=1'),
  row('scale -f shop.yaml --replicas=1', {
    differs: 'Upstream stops at the Service, and this one does, too.',
  }),
  row('expose pod x --port=80'),
  deleting('delete svc -l app=shop'),
  deleting('delete deploy shop --cascade=orphan'),
  row('get deploy'),
  deleting('delete rs -l app=shop'),
  deleting('delete svc shop --wait=false'),
  row('delete cm --all', { changes: [NAMESPACE_OF_DELETED] }),
  row(`run count --image=busybox --restart=Never -- sh -c 'echo one; sleep 2; echo two'`),
  waiting('wait --for=condition=Ready pod/count'),
  row('logs count -f', { waits: 'follow=true' }),
  waiting(`wait --for=jsonpath={.status.phase}=Succeeded pod/count`),
  row('exec count -- ls'),
  row('get pod count'),
  row('delete pod count --force', { waits: WATCH, changes: [NAMESPACE_OF_DELETED] }),
  row('delete pod count --grace-period=0'),
  row('get pods -A -o wide --sort-by=.metadata.name', { normalise: placeless }),
  row('run ready --image=nginx:1.27'),
  waiting('wait --for=condition=Ready pod/ready'),
  row('exec ready -- nope'),
  row('exec ready -c nope -- ls', { changes: [EXEC_CONTAINER] }),
  row('exec ready -- ls nope'),
  row('logs ready --previous'),
  row('run bad --image=nope:1'),
  row('logs bad', { afterMs: 5_000 }),
  row('exec bad -- ls'),
  row('get pod bad'),
  described('describe pod bad', [FIELD_OF_EVENT, OPTIONAL], { normalise: placeless }),
  row(`run crash --image=busybox -- sh -c 'echo trying; exit 1'`),
  row('get pod crash', { afterMs: 60_000, normalise: timeless }),
  row('get pod crash -o yaml', { normalise: timeless }),
  row('logs crash'),
  row('logs crash -p'),
  row('exec crash -- ls'),
  described('describe pod crash', [FIELD_OF_EVENT, OPTIONAL], { normalise: timeless }),
  row(`get pods -w -l 'a=('`),
  row('get nodes,pods -w'),
  deleting('delete pod bad crash ready --now'),
  row('rollout restart deploy -n kube-system coredns'),
  row('rollout history ds'),
  row('rollout status pods'),
  row('set image deploy/nope a=b'),
  row('label pods'),
  row('label deploy -n kube-system coredns a'),
  row('exec'),
  row('exec nope -- ls'),
  row('delete pods'),
  row('cordon nope'),
  row('wait pod/nope --for=delete'),
  row('wait pod/nope --for=condition=Ready'),
  row(`get pods -l 'a=('`),
  // Rights
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
  // Texts of this kubectl
  row('get nope', { differs: 'An unknown kind is followed by a similar one.' }),
  misused('set image deploy'),
  misused('logs'),
  misused('describe'),
  misused('delete'),
  misused('scale deploy'),
  misused('create deployment'),
  misused('create deployment a'),
  misused('run'),
  misused('run a'),
  misused('apply'),
  misused('wait pods --all'),
  misused('get pods -o'),
  misused('get pods -n'),
  misused('top nope'),
  row('get', { differs: 'It does not name explain, which is not here.' }),
  row('gett pods', { differs: 'An unknown command is followed by a similar one, in one sentence.' }),
  row('get pods --wathc', { differs: 'An unknown flag is followed by a similar one.' }),
  row('version', { differs: 'There is no kustomize.' }),
  row('cluster-info', { differs: 'The server has the address of its Service, and text has no colours.' }),
];
