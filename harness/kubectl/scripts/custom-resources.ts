import { eventually, fails, found, names, object, run, type Script } from '../script.ts';

const definitions = [
  'foos.company.com',
  'bars.company.com',
  'resources.mygroup.example.com',
  'validfoos.company.com',
];

/** Each output format, for a list and for an object. */
const printed = ['', '-o name', '-o wide', '-o json', '-o yaml'].flatMap((format) =>
  ['foos', 'foos/test'].map((what) => run(`kubectl get ${what} ${format}`.trim(), { out: 'test' })),
);

const prune = (file: string) =>
  run(
    `kubectl apply --prune -l pruneGroup=true -f custom/${file} --prune-allowlist=company.com/v1/Foo --prune-allowlist=company.com/v1/Bar`,
  );

/** Patches repeatedly until the watch reports a change. */
const watched = [
  'kubectl get bars --request-timeout=1m --watch-only -o name > $HOME/watched & watcher=$!',
  'for try in 1 2 3 4 5 6 7 8 9 10; do',
  `kubectl patch bars/test --type=merge -p "{\\"patched\\":\\"$try\\"}" > $HOME/patched`,
  'if [ -s $HOME/watched ]; then break; fi; sleep 1; done',
  'kill $watcher',
  'cat $HOME/watched',
].join('\n');

/** Custom resources, and their definitions. */
export const customResources: readonly Script[] = [
  {
    source: 'crd.sh run_crd_tests, and run_non_native_resource_tests',
    steps: [
      run('kubectl create -f custom/definition-foo.yaml'),
      object('customresourcedefinitions', found('foos.company.com'), 'found:'),
      run('kubectl create -f custom/definition-bar.yaml'),
      object('customresourcedefinitions', found('bars.company.com'), 'found:'),
      // The name of its resource differs from its kind.
      run('kubectl create -f custom/definition-resource.yaml'),
      object('customresourcedefinitions', found('resources.mygroup.example.com'), 'found:'),
      run('kubectl create -f custom/definition-validfoo.yaml'),
      object('customresourcedefinitions', found('validfoos.company.com'), 'found:'),

      run('kubectl get --raw /apis/company.com/v1', { eventually: true, out: '"name":"foos"' }),
      run('kubectl get --raw /apis/company.com/v1/foos', { eventually: true, out: 'FooList' }),
      run('kubectl get --raw /apis/company.com/v1/bars', { eventually: true, out: 'BarList' }),
      object('foos', names, ''),
      object('bars', names, ''),
      eventually('resources', names, ''),

      run('kubectl create -f custom/resource.yaml'),
      run('kubectl get resource/myobj -o name', { is: 'kind.mygroup.example.com/myobj' }),
      run('kubectl get resources/myobj -o name', { is: 'kind.mygroup.example.com/myobj' }),
      run('kubectl get kind.mygroup.example.com/myobj -o name', { is: 'kind.mygroup.example.com/myobj' }),
      run('kubectl delete resources myobj --cascade=background'),
      eventually('resources', names, ''),

      run('kubectl create -f custom/foo.yaml'),
      run('kubectl create -f custom/foo-2.yaml'),
      ...['foos', 'foo', 'foos.company.com', 'foos.v1.company.com'].map((what) =>
        object(what, names, 'test:'),
      ),
      ...printed,
      run("kubectl get foos -o 'jsonpath={.items[*].someField}' --allow-missing-template-keys=false", {
        is: 'field1',
      }),
      run("kubectl get foos/test -o 'jsonpath={.someField}' --allow-missing-template-keys=false", {
        is: 'field1',
      }),
      run(
        "kubectl get foos -o 'go-template={{range .items}}{{.someField}}{{end}}' --allow-missing-template-keys=false",
        { is: 'field1' },
      ),
      run("kubectl get foos/test -o 'go-template={{.someField}}' --allow-missing-template-keys=false", {
        is: 'field1',
      }),
      run('kubectl get foos/test -o name', { is: 'foo.company.com/test' }),

      run(`kubectl patch foos/test -p '{"patched":"value1"}' --type=merge`),
      object('foos/test', '{{.patched}}', 'value1'),
      run(`kubectl patch foos/test -p '{"patched":"value2"}' --type=merge --record`),
      object('foos/test', '{{.patched}}', 'value2'),
      run(`kubectl patch foos/test -p '{"patched":null}' --type=merge --record`),
      object('foos/test', '{{.patched}}', '<no value>'),
      run('kubectl get foos/test -o json > $HOME/foo.json'),
      fails(`kubectl patch --local -f $HOME/foo.json -p '{"patched":"value3"}'`, { err: 'try --type merge' }),
      run(`kubectl patch --local -f $HOME/foo.json -p '{"patched":"value3"}' --type=merge -o json`, {
        out: 'value3',
      }),
      run(`kubectl patch --record -f $HOME/foo.json -p '{"patched":"value3"}' --type=merge -o json`),
      object('foos/test', '{{.patched}}', 'value3'),

      run('kubectl label foos --all listlabel=true'),
      run('kubectl label foo/test itemlabel=true'),
      run('kubectl label --all --all-namespaces foo allnsLabel=true'),
      run('kubectl get foo/test -oyaml', { out: 'allnsLabel' }),
      run('kubectl get -n default foo -oyaml', { out: 'allnsLabel' }),
      run('kubectl annotate foos --all listannotation=true'),
      run('kubectl annotate foo/test itemannotation=true'),
      run('kubectl annotate --all --all-namespaces foo allnsannotation=true'),
      run('kubectl get foo/test -oyaml', { out: 'allnsannotation' }),
      run('kubectl get -n default foo -oyaml', { out: 'allnsannotation' }),

      run('kubectl describe foos', { out: ['listlabel=true', 'itemlabel=true'] }),
      run('kubectl describe foos/test', { out: 'Some Field:' }),
      run('kubectl describe customresourcedefinitions --chunk-size=1', {
        out: 'Kind:         CustomResourceDefinition',
      }),
      run('kubectl describe foos --chunk-size=1', { out: 'Some Field:' }),
      run('kubectl delete foos test --cascade=background'),
      eventually('foos', names, ''),

      run('kubectl create -f custom/bar.yaml'),
      object('bars', names, 'test:'),
      run(watched, { out: 'bar.company.com/test' }),
      run('kubectl delete bars test --cascade=orphan'),
      eventually('bars', names, ''),

      run('kubectl apply -f custom/foo.yaml', { is: 'foo.company.com/test created' }),
      object('foos', names, 'test:'),
      object('foos/test', '{{.someField}}', 'field1'),
      run('kubectl apply -f custom/foo.yaml', { is: 'foo.company.com/test unchanged' }),
      object('foos/test', '{{.someField}}', 'field1'),
      object('foos/test', '{{.nestedField.someSubfield}}', 'subfield1'),
      run('kubectl apply -f custom/foo-updated.yaml'),
      object('foos/test', '{{.nestedField.someSubfield}}', 'modifiedSubfield'),
      object('foos/test', '{{.nestedField.otherSubfield}}', 'subfield2'),
      run('kubectl apply -f custom/foo-deleted.yaml'),
      object('foos/test', '{{.nestedField.otherSubfield}}', '<no value>'),
      object('foos/test', '{{.nestedField.newSubfield}}', '<no value>'),
      run('kubectl apply -f custom/foo-added.yaml'),
      object('foos/test', '{{.nestedField.newSubfield}}', 'subfield3'),
      run('kubectl delete -f custom/foo.yaml'),
      eventually('foos', names, ''),

      run('kubectl apply -f custom/list.yaml'),
      ...['foos', 'bars'].flatMap((what) => [
        object(what, names, 'test-list:'),
        object(`${what}/test-list`, '{{.someField}}', 'field1'),
      ]),
      run('kubectl apply -f custom/list.yaml'),
      ...['foos', 'bars'].map((what) => object(`${what}/test-list`, '{{.someField}}', 'field1')),
      run('kubectl apply -f custom/list-updated.yaml'),
      ...['foos', 'bars'].flatMap((what) => [
        object(`${what}/test-list`, '{{.someField}}', 'modifiedField'),
        object(`${what}/test-list`, '{{.otherField}}', 'field2'),
      ]),
      run('kubectl apply -f custom/list-deleted.yaml'),
      ...['foos', 'bars'].flatMap((what) => [
        object(`${what}/test-list`, '{{.otherField}}', '<no value>'),
        object(`${what}/test-list`, '{{.newField}}', '<no value>'),
      ]),
      run('kubectl apply -f custom/list-added.yaml'),
      ...['foos', 'bars'].map((what) => object(`${what}/test-list`, '{{.newField}}', 'field3')),
      run('kubectl delete -f custom/list.yaml'),
      eventually('foos', names, ''),
      eventually('bars', names, ''),

      prune('foo.yaml'),
      object('foos', names, 'test:'),
      object('bars', names, ''),
      prune('bar.yaml'),
      eventually('foos', names, ''),
      object('bars', names, 'test:'),
      run('kubectl delete -f custom/bar.yaml'),
      eventually('foos', names, ''),
      eventually('bars', names, ''),

      run('kubectl create namespace non-native-resources'),
      run('kubectl create -f custom/bar.yaml --namespace=non-native-resources'),
      object('bars --namespace=non-native-resources', '{{len .items}}', '1'),
      run('kubectl delete namespace non-native-resources'),
      eventually('bars --namespace=non-native-resources', '{{len .items}}', '0'),
      fails('kubectl get namespace non-native-resources', { err: 'not found', eventually: true }),

      ...definitions.map((name) => run(`kubectl delete customresourcedefinitions/${name}`)),
    ],
  },
];
