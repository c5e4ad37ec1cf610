import { pods, services } from '../../api/resource.ts';
import { area, from } from '../behaviour.ts';
import type { Session } from '../session.ts';
import { BUSYBOX, named, pod, script, server, service } from './manifests.ts';

const model = from('kubernetes/kubernetes@v1.36.3 test/e2e/common/network/networking.go', 'a node');
const proxy = from(
  'kubernetes/kubernetes@v1.36.3 pkg/proxy/iptables/proxier.go Proxier.syncProxyRules',
  'a node',
);
const records = from(
  'coredns/coredns@v1.14.2 plugin/kubernetes/kubernetes.go Kubernetes.Services',
  'a node',
  'names',
);
const policy = from(
  'kubernetes/kubernetes@v1.36.3 pkg/kubelet/network/dns/dns.go Configurer.GetPodDNS',
  'a node',
);

const FAILED = { status: { phase: 'Failed' } };

/** Starts a web server with the label `app: web`, and waits until it is ready. Returns its address. */
async function serves(
  api: Session,
  name: string,
  parts: NonNullable<Parameters<typeof server>[1]> = {},
): Promise<string> {
  await api.made(pods, server(name, { labels: { app: 'web' }, ...parts }));
  const answer = await api
    .get(pods, name)
    .becomes({ status: { phase: 'Running', podIP: /./, containerStatuses: [{ ready: true }] } });
  return answer.at('status.podIP');
}

/** A web server whose page is the name of its pod. */
const named80 = {
  image: BUSYBOX,
  command: ['sh', '-c', 'mkdir -p /www; hostname > /www/index.html; httpd -f -p 8080 -h /www'],
  ports: [{ name: 'http', containerPort: 8080 }],
  readinessProbe: { httpGet: { path: '/index.html', port: 8080 }, periodSeconds: 1 },
};

/** Runs a script until it succeeds: the network may need a moment. Returns its output. */
async function succeeds(api: Session, text: string, spec: object = {}, name = 'client'): Promise<string> {
  await api.made(pods, script(name, text, { spec: { restartPolicy: 'OnFailure', ...spec } }));
  await api.get(pods, name).becomes({ status: { phase: 'Succeeded' } }, { never: FAILED });
  const { body } = await api.logs(name).answers(200);
  return String(body);
}

const fetches = (url: string) => `wget -q -T 5 -O - ${url}`;
const WELCOME = /Welcome to nginx/;

/** The network of pods, and Services in it. */
export const network = area(
  'Network',
  model('A pod reaches another pod by its address', async (api) => {
    const ip = await serves(api, 'web');
    api.expect('the page', await succeeds(api, fetches(`http://${ip}`)), WELCOME);
  }),
  model('A pod reaches itself by its address', async (api) => {
    const text = 'httpd -p 8080 -h / -f & sleep 1; wget -q -O - http://$IP:8080/etc/hostname';
    const env = [{ name: 'IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } }];
    await api.made(pods, script('a', text, { main: { env } }));
    await api.get(pods, 'a').becomes({ status: { phase: 'Succeeded' } }, { never: FAILED });
    await api.logs('a').answers(200, 'a\n');
  }),
  model('Containers of a pod share localhost', async (api) => {
    const client = {
      name: 'client',
      image: BUSYBOX,
      command: ['sh', '-c', `until ${fetches('http://localhost')}; do sleep 1; done`],
    };
    const { containers } = server('a').spec;
    await api.made(pods, pod('a', { spec: { containers: [...containers, client], restartPolicy: 'Never' } }));
    await api.logs('a', { container: 'client' }).becomes(WELCOME);
  }),
  proxy('A pod reaches a Service by its cluster IP', async (api) => {
    const clusterIP = (await api.made(services, service('web'))).at('spec.clusterIP');
    await serves(api, 'web');
    api.expect('the page', await succeeds(api, fetches(`http://${clusterIP}`)), WELCOME);
  }),
  proxy('A Service translates its port to the target port', async (api) => {
    const ports = [{ port: 8888, targetPort: 'http' }];
    const clusterIP = (await api.made(services, service('web', { ports }))).at('spec.clusterIP');
    await serves(api, 'web');
    api.expect('the page', await succeeds(api, fetches(`http://${clusterIP}:8888`)), WELCOME);
  }),
  proxy('A Service reaches all its pods', async (api) => {
    const ports = [{ port: 80, targetPort: 8080 }];
    const clusterIP = (await api.made(services, service('web', { ports }))).at('spec.clusterIP');
    for (const name of ['one', 'two']) await serves(api, name, { main: named80 });
    const tries = `i=0; while [ $i -lt 40 ]; do ${fetches(`http://${clusterIP}/index.html`)} || exit 1; i=$((i+1)); done`;
    const output = await succeeds(api, tries);
    api.expect('the pods that answered', [...new Set(output.trim().split('\n'))].toSorted(), ['one', 'two']);
  }),
  proxy('Affinity to clients keeps a client at one pod', async (api) => {
    const spec = { ports: [{ port: 80, targetPort: 8080 }], sessionAffinity: 'ClientIP' };
    const clusterIP = (await api.made(services, service('web', spec))).at('spec.clusterIP');
    for (const name of ['one', 'two']) await serves(api, name, { main: named80 });
    const tries = `i=0; while [ $i -lt 20 ]; do ${fetches(`http://${clusterIP}/index.html`)} || exit 1; i=$((i+1)); done`;
    const output = await succeeds(api, tries);
    api.expect('the number of pods that answered', new Set(output.trim().split('\n')).size, 1);
  }),
  proxy('A NodePort is open on the node of a client', async (api) => {
    const made = await api.made(services, service('web', { type: 'NodePort' }));
    await serves(api, 'web');
    const env = [{ name: 'HOST', valueFrom: { fieldRef: { fieldPath: 'status.hostIP' } } }];
    const text = `until ${fetches(`http://$HOST:${made.at('spec.ports.0.nodePort')}`)}; do sleep 1; done`;
    await api.made(pods, script('client', text, { main: { env } }));
    await api.get(pods, 'client').becomes({ status: { phase: 'Succeeded' } }, { never: FAILED });
    await api.logs('client').answers(200, WELCOME);
  }),
  proxy('A Service without endpoints refuses connections', async (api) => {
    const clusterIP = (await api.made(services, service('web'))).at('spec.clusterIP');
    const refused = `wget: can't connect to remote host (${clusterIP}): Connection refused`;
    const last = `$(wget -T 5 -O - http://${clusterIP} 2>&1 | tail -n 1)`;
    await succeeds(api, `until test "${last}" = "${refused}"; do sleep 1; done`);
  }),
  proxy('A pod that is not ready gets no traffic of a Service', async (api) => {
    const ports = [{ port: 80, targetPort: 8080 }];
    const clusterIP = (await api.made(services, service('web', { ports }))).at('spec.clusterIP');
    await serves(api, 'one', { main: named80 });
    const readinessProbe = { exec: { command: ['false'] }, periodSeconds: 1 };
    await api.made(pods, server('two', { labels: { app: 'web' }, main: { ...named80, readinessProbe } }));
    await api.get(pods, 'two').becomes({ status: { phase: 'Running' } });
    const tries = `i=0; while [ $i -lt 20 ]; do ${fetches(`http://${clusterIP}/index.html`)} || exit 1; i=$((i+1)); done`;
    const output = await succeeds(api, tries);
    api.expect('the pods that answered', [...new Set(output.trim().split('\n'))], ['one']);
  }),
);

/** Asks for a name until the answer matches, because name servers cache that a name does not exist. */
async function resolves(api: Session, question: string, answer: RegExp): Promise<void> {
  const text = `until nslookup ${question} > /tmp/out; do sleep 2; done; cat /tmp/out`;
  await api.made(pods, script('client', text));
  await api.get(pods, 'client').becomes({ status: { phase: 'Succeeded' } }, { never: FAILED });
  await api.logs('client').answers(200, answer);
}

/** The regular expression for the record of an address. */
const address = (name: string, ip: string) => new RegExp(`Name:\\s+${name}\\nAddress( 1)?: ${ip}\\b`);
const DOMAIN = 'svc.cluster.local';

/** Names of Services and pods. */
export const names = area(
  'Names',
  records('The name of a Service has its cluster IP', async (api) => {
    const clusterIP = (await api.made(services, service('web'))).at('spec.clusterIP');
    const name = `web.${api.namespace}.${DOMAIN}`;
    await resolves(api, `-type=A ${name}`, address(name, clusterIP));
  }),
  records('The name of a headless Service has the addresses of its ready pods', async (api) => {
    await api.made(services, service('web', { clusterIP: 'None' }));
    const ip = await serves(api, 'one');
    const name = `web.${api.namespace}.${DOMAIN}`;
    await resolves(api, `-type=A ${name}`, address(name, ip));
  }),
  records('A pod with a hostname has a name below its Service', async (api) => {
    await api.made(services, service('web', { clusterIP: 'None' }));
    const ip = await serves(api, 'one', { spec: { hostname: 'db-0', subdomain: 'web' } });
    const name = `db-0.web.${api.namespace}.${DOMAIN}`;
    await resolves(api, `-type=A ${name}`, address(name, ip));
  }),
  records('A named port has a record with its number', async (api) => {
    await api.made(services, service('web', { ports: [{ name: 'http', port: 8080 }] }));
    const name = `_http._tcp.web.${api.namespace}.${DOMAIN}`;
    await resolves(
      api,
      `-type=SRV ${name}`,
      new RegExp(`${name}\\s+service = \\d+ \\d+ 8080 web\\.${api.namespace}\\.${DOMAIN}`),
    );
  }),
  records('An ExternalName Service is an alias', async (api) => {
    await api.made(services, {
      ...named('web'),
      spec: { type: 'ExternalName', externalName: 'elsewhere.invalid' },
    });
    const name = `web.${api.namespace}.${DOMAIN}`;
    await resolves(api, `-type=CNAME ${name}`, new RegExp(`${name}\\s+canonical name = elsewhere\\.invalid`));
  }),
  records('The API has a name in each cluster', async (api) => {
    const clusterIP = (
      await api.raw('GET', '/api/v1/namespaces/default/services/kubernetes').answers(200)
    ).at('spec.clusterIP');
    const name = `kubernetes.default.${DOMAIN}`;
    await resolves(api, `-type=A ${name}`, address(name, clusterIP));
  }),
  records('A name that does not exist has no address', async (api) => {
    const name = `none.${api.namespace}.${DOMAIN}`;
    await api.made(pods, script('client', `nslookup -type=A ${name} || echo none`));
    await api.get(pods, 'client').becomes({ status: { phase: 'Succeeded' } }, { never: FAILED });
    await api.logs('client').answers(200, new RegExp(`can't find ${name}: NXDOMAIN[\\s\\S]*none\\n$`));
  }),
  (['web', 'web.NAMESPACE', 'web.NAMESPACE.svc'] as const).map((name) =>
    records(`The search path completes the name ${name}`, async (api) => {
      await api.made(services, service('web'));
      await serves(api, 'one');
      api.expect(
        'the page',
        await succeeds(api, fetches(`http://${name.replace('NAMESPACE', api.namespace)}`)),
        WELCOME,
      );
    }),
  ),
  policy('A pod uses the name server of the cluster, and the domains of its namespace', async (api) => {
    const ip = (await api.raw('GET', '/api/v1/namespaces/kube-system/services/kube-dns').answers(200)).at(
      'spec.clusterIP',
    );
    await api.made(pods, script('a', 'cat /etc/resolv.conf'));
    await api.get(pods, 'a').becomes({ status: { phase: 'Succeeded' } }, { never: FAILED });
    await api
      .logs('a')
      .answers(
        200,
        new RegExp(
          `^search ${api.namespace}\\.${DOMAIN} ${DOMAIN} cluster\\.local( .*)?\\nnameserver ${ip}\\noptions ndots:5\\n$`,
        ),
      );
  }),
  policy('The policy None leaves the configuration of the pod', async (api) => {
    const dnsConfig = {
      nameservers: ['192.0.2.53'],
      searches: ['example.com'],
      options: [{ name: 'ndots', value: '2' }, { name: 'edns0' }],
    };
    await api.made(pods, script('a', 'cat /etc/resolv.conf', { spec: { dnsPolicy: 'None', dnsConfig } }));
    await api.get(pods, 'a').becomes({ status: { phase: 'Succeeded' } }, { never: FAILED });
    await api.logs('a').answers(200, 'search example.com\nnameserver 192.0.2.53\noptions ndots:2 edns0\n');
  }),
);
