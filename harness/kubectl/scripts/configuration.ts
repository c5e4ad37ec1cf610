import { eventually, fails, found, name, names, object, run, type Script } from '../script.ts';

/** Configuration: ConfigMaps, Secrets and service accounts. */
export const configuration: readonly Script[] = [
  {
    source: 'core.sh run_configmap_tests',
    steps: [
      run('kubectl create -f configmap.yaml', { is: 'configmap/test-configmap created' }),
      object('configmap/test-configmap', name, 'test-configmap'),
      run('kubectl delete configmap test-configmap', { out: 'configmap "test-configmap" deleted' }),
      run('kubectl create configmap test-configmap --dry-run=client --from-literal=key1=value1', {
        is: 'configmap/test-configmap created (dry run)',
      }),
      run('kubectl create configmap test-configmap --dry-run=server --from-literal=key1=value1', {
        is: 'configmap/test-configmap created (server dry run)',
      }),
      object('configmaps', found('test-configmap'), ':'),
      run('kubectl create configmap test-configmap --from-literal=key1=value1'),
      run(
        `printf '\\377\\376' > $HOME/bytes && kubectl create configmap test-binary-configmap --from-file $HOME/bytes`,
      ),
      object('configmap/test-binary-configmap', name, 'test-binary-configmap'),
      run('kubectl get configmap/test-configmap -o yaml', { out: 'key1: value1' }),
      run('kubectl get configmap/test-binary-configmap -o yaml', { out: 'binaryData' }),
      run('kubectl describe configmaps', { out: ['Name:', 'key1:', 'BinaryData'] }),
      run('kubectl delete configmap test-configmap test-binary-configmap'),
    ],
  },
  {
    source: 'core.sh run_create_secret_tests',
    steps: [
      fails('kubectl get secrets mysecret', { err: 'secrets "mysecret" not found' }),
      run(
        "kubectl create secret generic mysecret --dry-run=client --from-literal=foo=bar -o jsonpath='{.metadata.namespace}' --namespace=user-specified",
        { is: 'user-specified' },
      ),
      fails('kubectl get secrets mysecret', { err: 'secrets "mysecret" not found' }),
      run(
        'kubectl create configmap tester-update-cm -o json --dry-run=client | kubectl create --raw /api/v1/namespaces/default/configmaps -f -',
        { out: 'uid' },
      ),
      run(
        'kubectl create configmap tester-update-cm --from-literal=key1=config1 -o json --dry-run=client | kubectl replace --raw /api/v1/namespaces/default/configmaps/tester-update-cm -f -',
        { out: 'uid' },
      ),
      run('kubectl get --raw /api/v1/namespaces/default/configmaps/tester-update-cm', { out: 'config1' }),
      run('kubectl delete --raw /api/v1/namespaces/default/configmaps/tester-update-cm'),
      fails('kubectl get -n default configmap tester-update-cm', {
        err: 'configmaps "tester-update-cm" not found',
      }),
    ],
  },
  {
    source: 'core.sh run_secrets_test',
    steps: [
      run(
        'kubectl create secret generic test --from-literal=key1=value1 --dry-run=client -o yaml --server=example.com --v=6',
        { out: ['kind: Secret', 'apiVersion: v1', 'key1: dmFsdWUx'], without: 'example.com' },
      ),
      object('secrets', names, ''),
      run('kubectl create secret generic test-secret --from-literal=key1=value1 --type=test-type'),
      object('secret/test-secret', '{{.type}}', 'test-type'),
      run('kubectl get secret/test-secret -o yaml', { out: 'key1: dmFsdWUx' }),
      run('kubectl describe secret test-secret', { out: ['Type:  test-type', 'key1:  6 bytes'] }),
      run('kubectl delete secret test-secret'),
      eventually('secrets', names, ''),
      run(
        "kubectl create secret docker-registry test-secret --docker-username=test-user --docker-password=test-password --docker-email='test-user@test.com'",
      ),
      object('secret/test-secret', '{{.type}}', 'kubernetes.io/dockerconfigjson'),
      run('kubectl delete secret test-secret'),
      run('kubectl create secret tls test-secret --key=$HOME/tls.key --cert=$HOME/tls.crt'),
      object('secret/test-secret', '{{.type}}', 'kubernetes.io/tls'),
      run('kubectl delete secret test-secret'),
      run(
        `echo '{"kind":"Secret","apiVersion":"v1","metadata":{"name":"secret-string-data"},"data":{"k1":"djE=","k2":""},"stringData":{"k2":"v2"}}' | kubectl create -f -`,
      ),
      object('secret/secret-string-data', '{{.data}}', 'map[k1:djE= k2:djI=]'),
      object('secret/secret-string-data', '{{.stringData}}', '<no value>'),
      run('kubectl delete secret secret-string-data'),
      run(
        "kubectl create secret generic test-secret --from-literal=key1=value1 --output=go-template --template='{{.metadata.name}}:'",
        { is: 'test-secret:' },
      ),
    ],
  },
  {
    source: 'core.sh run_service_accounts_tests',
    steps: [
      run('kubectl create serviceaccount test-service-account --dry-run=client'),
      run('kubectl create serviceaccount test-service-account --dry-run=server'),
      object('serviceaccount', found('test-service-account'), ':'),
      run('kubectl create serviceaccount test-service-account'),
      object('serviceaccount/test-service-account', name, 'test-service-account'),
      run('kubectl describe serviceaccounts', { out: ['Name:', 'test-service-account'] }),
      run('kubectl delete serviceaccount test-service-account'),
    ],
  },
];
