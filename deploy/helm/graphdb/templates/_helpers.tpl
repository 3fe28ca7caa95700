{{- define "graphdb.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ default .Chart.AppVersion .Values.image.tag }}
{{- end -}}
{{- end -}}

{{- define "graphdb.labels" -}}
app.kubernetes.io/name: graphdb
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{- define "graphdb.selector" -}}
app.kubernetes.io/name: graphdb
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .role }}
{{- end -}}

{{/* A server of a role: writer or reader. */}}
{{- define "graphdb.deployment" -}}
{{- $values := .root.Values -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .root.Release.Name }}-{{ .role }}
  labels:
    {{- include "graphdb.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .role }}
spec:
  replicas: {{ .replicas }}
  {{- if eq .role "writer" }}
  # A namespace has one writer: the old one is gone before the new one takes over.
  strategy:
    type: Recreate
  {{- end }}
  selector:
    matchLabels:
      {{- include "graphdb.selector" . | nindent 6 }}
  template:
    metadata:
      labels:
        {{- include "graphdb.labels" .root | nindent 8 }}
        app.kubernetes.io/component: {{ .role }}
        {{- with $values.podLabels }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      annotations:
        checksum/settings: {{ toJson (dict "store" $values.store "settings" $values.settings) | sha256sum }}
        {{- with $values.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
      {{- with $values.imagePullSecrets }}
      imagePullSecrets:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      serviceAccountName: {{ default (printf "%s-graphdb" .root.Release.Name) $values.serviceAccount.name }}
      automountServiceAccountToken: false
      # Longer than the server takes to finish what runs and to leave the store clean.
      terminationGracePeriodSeconds: 35
      securityContext:
        runAsNonRoot: true
        runAsUser: 1000
        runAsGroup: 1000
        fsGroup: 1000
        seccompProfile:
          type: RuntimeDefault
      containers:
        - name: graphdb
          image: {{ include "graphdb.image" .root | quote }}
          imagePullPolicy: {{ $values.image.pullPolicy }}
          args:
            - --config=/etc/graphdb/graphdb.conf
            {{- if eq .role "reader" }}
            - --read-only
            {{- end }}
          {{- with $values.existingSecret }}
          envFrom:
            - secretRef:
                name: {{ . }}
          {{- end }}
          ports:
            - name: http
              containerPort: 8080
            {{- if $values.bolt.enabled }}
            - name: bolt
              containerPort: 7687
            {{- end }}
          startupProbe:
            httpGet:
              path: /v0/ready
              port: http
            periodSeconds: 2
            failureThreshold: 150
          readinessProbe:
            httpGet:
              path: /v0/ready
              port: http
            periodSeconds: 5
            timeoutSeconds: 3
          livenessProbe:
            httpGet:
              path: /v0/live
              port: http
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities:
              drop: [ALL]
          resources:
            {{- toYaml $values.resources | nindent 12 }}
          volumeMounts:
            - name: settings
              mountPath: /etc/graphdb
              readOnly: true
            - name: cache
              mountPath: /cache
            - name: tmp
              mountPath: /tmp
      volumes:
        - name: settings
          configMap:
            name: {{ .root.Release.Name }}-graphdb
        - name: cache
          emptyDir:
            sizeLimit: {{ $values.cache.size }}
        - name: tmp
          emptyDir: {}
      {{- with $values.nodeSelector }}
      nodeSelector:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $values.affinity }}
      affinity:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $values.tolerations }}
      tolerations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
{{- end -}}

{{- define "graphdb.service" -}}
apiVersion: v1
kind: Service
metadata:
  name: {{ .root.Release.Name }}-{{ .role }}
  labels:
    {{- include "graphdb.labels" .root | nindent 4 }}
spec:
  type: {{ .root.Values.service.type }}
  selector:
    {{- include "graphdb.selector" . | nindent 4 }}
  ports:
    - name: http
      port: 8080
      targetPort: http
    {{- if .root.Values.bolt.enabled }}
    - name: bolt
      port: 7687
      targetPort: bolt
    {{- end }}
{{- end -}}
