/** A manifest that shows something. */
export interface Sample {
  /** Its name as a file: `web.yaml`. */
  readonly file: string;
  /** The thing that it shows, in one line. */
  readonly shows: string;
  readonly text: string;
}

const web = `# A web of three pods, and one name for them. Every field that is not here, the apiserver fills in.
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  labels:
    app.kubernetes.io/name: web
spec:
  replicas: 3
  selector:
    matchLabels:
      app.kubernetes.io/name: web
  template:
    metadata:
      labels:
        app.kubernetes.io/name: web
    spec:
      containers:
        - name: nginx
          image: nginx:1.25
          ports:
            - name: http
              containerPort: 80
          resources:
            requests:
              cpu: 100m
              memory: 64Mi
            limits:
              memory: 128Mi
          readinessProbe:
            httpGet:
              path: /
              port: http
            periodSeconds: 5
---
apiVersion: v1
kind: Service
metadata:
  name: web
spec:
  selector:
    app.kubernetes.io/name: web
  ports:
    - name: http
      port: 80
      targetPort: http
`;

const probes = `# Three probes for one container. A file makes it ready: delete the file in a shell, and the Service
# loses an endpoint; the pod stays. The Service also listens on port 30080 of each node.
apiVersion: apps/v1
kind: Deployment
metadata:
  name: shop
spec:
  replicas: 2
  selector:
    matchLabels:
      app: shop
  template:
    metadata:
      labels:
        app: shop
    spec:
      containers:
        - name: shop
          image: nginx:1.27
          ports:
            - containerPort: 80
          lifecycle:
            postStart:
              exec:
                command: [touch, /tmp/ready]
          startupProbe:
            tcpSocket:
              port: 80
            periodSeconds: 1
            failureThreshold: 30
          readinessProbe:
            exec:
              command: [cat, /tmp/ready]
            periodSeconds: 2
            failureThreshold: 1
          livenessProbe:
            httpGet:
              path: /
              port: 80
            periodSeconds: 10
---
apiVersion: v1
kind: Service
metadata:
  name: shop
spec:
  type: NodePort
  selector:
    app: shop
  ports:
    - port: 80
      nodePort: 30080
`;

const waits = `# Apply web.yaml first. This version of it has an image that does not exist: its new pods never become
# ready, so the old ones stay. "kubectl rollout undo deployment web" goes back.
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  labels:
    app.kubernetes.io/name: web
spec:
  replicas: 3
  progressDeadlineSeconds: 60
  selector:
    matchLabels:
      app.kubernetes.io/name: web
  template:
    metadata:
      labels:
        app.kubernetes.io/name: web
    spec:
      containers:
        - name: nginx
          image: nginx:1.999
          ports:
            - name: http
              containerPort: 80
`;

const crashes = `# The program ends three seconds after its start. The kubelet starts it again, and waits twice as long each time.
apiVersion: v1
kind: Pod
metadata:
  name: crashes
spec:
  containers:
    - name: main
      image: busybox:1.36
      command: [sh, -c, 'echo "I start"; sleep 3; echo "I fail"; exit 1']
`;

const unfit = `# No node has 64 CPUs, so the scheduler finds no node. Its table shows the reason for each node.
# The second pod asks for a label that no node has. "kubectl label node node-2 disk=ssd" lets it in.
apiVersion: v1
kind: Pod
metadata:
  name: too-large
spec:
  containers:
    - name: main
      image: nginx:1.27
      resources:
        requests:
          cpu: "64"
---
apiVersion: v1
kind: Pod
metadata:
  name: picky
spec:
  nodeSelector:
    disk: ssd
  containers:
    - name: main
      image: nginx:1.27
`;

const db = `# Two pods with stable names. Each has a claim, which keeps its volume when the pod is deleted.
apiVersion: v1
kind: Service
metadata:
  name: db
spec:
  clusterIP: None
  selector:
    app: db
  ports:
    - port: 6379
---
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: db
spec:
  serviceName: db
  replicas: 2
  selector:
    matchLabels:
      app: db
  template:
    metadata:
      labels:
        app: db
    spec:
      containers:
        - name: redis
          image: redis:8
          volumeMounts:
            - name: data
              mountPath: /data
  volumeClaimTemplates:
    - metadata:
        name: data
      spec:
        accessModes: [ReadWriteOnce]
        resources:
          requests:
            storage: 100Mi
`;

const jobs = `# Six pods, two at a time. The second Job fails after two retries.
apiVersion: batch/v1
kind: Job
metadata:
  name: six
spec:
  completions: 6
  parallelism: 2
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: main
          image: busybox:1.36
          command: [sleep, '5']
---
apiVersion: batch/v1
kind: Job
metadata:
  name: fails
spec:
  backoffLimit: 2
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: main
          image: busybox:1.36
          command: ['false']
`;

/** The manifests that the editor offers, and that the prompt takes as files. */
export const samples: readonly Sample[] = [
  { file: 'web.yaml', shows: 'a Deployment of three pods, and its Service', text: web },
  { file: 'probes.yaml', shows: 'three probes, and a Service with a node port', text: probes },
  { file: 'waits.yaml', shows: 'a roll-out that waits: its image does not exist', text: waits },
  { file: 'crashes.yaml', shows: 'a pod that crashes again and again', text: crashes },
  { file: 'unfit.yaml', shows: 'two pods that no node fits', text: unfit },
  { file: 'db.yaml', shows: 'a StatefulSet, and a claim for each of its pods', text: db },
  { file: 'jobs.yaml', shows: 'a Job of six pods, and a Job that fails', text: jobs },
];
