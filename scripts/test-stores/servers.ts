/**
 * The servers that stand in for the three clouds. Each was checked to let exactly one of 8 racing writers create an
 * object; several others are not safe there (s3rver, moto, versitygw before September 2026) and would only test
 * themselves.
 */

import { join } from 'node:path';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { ContainerClient, StorageSharedKeyCredential } from '@azure/storage-blob';
import { installGoProgram, installNpmPackage } from './install.ts';
import type { ServerCommand } from './process.ts';

export interface Place {
  /** Where the server is installed. */
  readonly folder: string;
  /** Empty, for its data. */
  readonly data: string;
  readonly port: number;
}

export interface PreparedStore {
  readonly uri: string;
  /** Credentials, as the vendor names them. */
  readonly environment: Readonly<Record<string, string>>;
}

export interface TestServer {
  readonly scheme: 's3' | 'gs' | 'az';
  /** With the version. */
  readonly name: string;
  /** CannotInstall where it cannot. */
  install(folder: string): Promise<void>;
  command(place: Place): ServerCommand;
  /** Creates the bucket. */
  prepare(port: number): Promise<PreparedStore>;
}

const BUCKET = 'graphdb-test';
const ACCESS_KEY = 'graphdb-access';
const SECRET_KEY = 'graphdb-secret';
const AZURE_ACCOUNT = 'graphdbtest';
const AZURE_KEY = Buffer.from('a key for tests on this machine').toString('base64');

const s3: TestServer = {
  scheme: 's3',
  name: 'versitygw 1.8.0',
  install: (folder) => installGoProgram(folder, 'github.com/versity/versitygw/cmd/versitygw@v1.8.0'),
  command: ({ folder, data, port }) => ({
    program: join(folder, 'versitygw'),
    parameters: ['--quiet', '--keep-alive', '--port', `127.0.0.1:${port}`, '--access', ACCESS_KEY, '--secret', SECRET_KEY, 'posix', data],
  }),
  async prepare(port) {
    const endpoint = `http://127.0.0.1:${port}`;
    const credentials = { accessKeyId: ACCESS_KEY, secretAccessKey: SECRET_KEY };
    const client = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true, credentials });
    await client.send(new CreateBucketCommand({ Bucket: BUCKET }));
    client.destroy();
    return {
      uri: `s3://${BUCKET}?ns=x&region=us-east-1&endpoint=${endpoint}&allow_http=true`,
      environment: { AWS_ACCESS_KEY_ID: ACCESS_KEY, AWS_SECRET_ACCESS_KEY: SECRET_KEY },
    };
  },
};

const gs: TestServer = {
  scheme: 'gs',
  name: 'fake-gcs-server 1.56.1',
  install: (folder) => installGoProgram(folder, 'github.com/fsouza/fake-gcs-server@v1.56.1'),
  command: ({ folder, port }) => ({
    program: join(folder, 'fake-gcs-server'),
    parameters: ['-backend', 'memory', '-scheme', 'http', '-host', '127.0.0.1', '-port', String(port), '-log-level', 'error'],
  }),
  async prepare(port) {
    const endpoint = `http://127.0.0.1:${port}`;
    const answer = await fetch(`${endpoint}/storage/v1/b?project=test`, { method: 'POST', body: JSON.stringify({ name: BUCKET }) });
    if (!answer.ok) throw new Error(`cannot create the bucket: HTTP ${answer.status} ${await answer.text()}`);
    return { uri: `gs://${BUCKET}?ns=x&endpoint=${endpoint}&allow_http=true`, environment: {} };
  },
};

const az: TestServer = {
  scheme: 'az',
  // 3.37.0 does not install.
  name: 'azurite 3.36.0',
  install: (folder) => installNpmPackage(folder, 'azurite@3.36.0'),
  command: ({ folder, port }) => ({
    program: process.execPath,
    parameters: [
      join(folder, 'node_modules/azurite/dist/src/blob/main.js'),
      ...['--blobHost', '127.0.0.1', '--blobPort', String(port), '--silent'],
      ...['--inMemoryPersistence', '--skipApiVersionCheck', '--disableTelemetry'],
    ],
    environment: { AZURITE_ACCOUNTS: `${AZURE_ACCOUNT}:${AZURE_KEY}` },
  }),
  async prepare(port) {
    const endpoint = `http://127.0.0.1:${port}`;
    await new ContainerClient(`${endpoint}/${AZURE_ACCOUNT}/${BUCKET}`, new StorageSharedKeyCredential(AZURE_ACCOUNT, AZURE_KEY)).create();
    return {
      uri: `az://${AZURE_ACCOUNT}/${BUCKET}?ns=x&use_emulator=true&endpoint=${endpoint}`,
      environment: { AZURE_STORAGE_ACCOUNT_NAME: AZURE_ACCOUNT, AZURE_STORAGE_ACCOUNT_KEY: AZURE_KEY },
    };
  },
};

export const SERVERS: readonly TestServer[] = [s3, gs, az];
