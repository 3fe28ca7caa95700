"""The objects of a namespace: whole, by range, by prefix. ``requests`` and ``bytes_read`` count what a reader asked for.

A store is pickled as its URI: each process opens its own. Keys are relative to the namespace. What is missing is ``None``; whatever else fails is
``STORE_UNAVAILABLE``.
"""

import os
import threading
import uuid
from collections import OrderedDict
from typing import Any, List, NamedTuple, Optional
from urllib.parse import urlsplit

from ..errors import GraphDBError
from .uri import StorageUri, parse_uri

_OPEN_FILES = 64


class ObjectInfo(NamedTuple):
    key: str
    size: int


class Store:
    """One namespace in one store."""

    def __init__(self, uri: str) -> None:
        self.uri = uri
        self.requests = 0
        self.bytes_read = 0

    def __reduce__(self):
        return (open_store, (self.uri,))

    def get(self, key: str) -> Optional[bytes]:
        raise NotImplementedError

    def get_range(self, key: str, offset: int, length: int) -> Optional[bytes]:
        """Fewer bytes where the object ends before."""
        raise NotImplementedError

    def list(self, prefix: str) -> List[ObjectInfo]:
        """Objects directly below ``prefix``, by key. ``prefix`` is a folder and ends with a slash."""
        raise NotImplementedError

    def put(self, key: str, body: bytes) -> None:
        """For names that nobody else uses."""
        raise NotImplementedError

    def delete(self, key: str) -> None:
        """What is not there is deleted."""
        raise NotImplementedError

    def _count(self, body: bytes) -> bytes:
        self.requests += 1
        self.bytes_read += len(body)
        return body


def open_store(uri: str) -> Store:
    """Makes no request."""
    parsed = parse_uri(uri)
    return FileStore(uri, parsed) if parsed.scheme == "file" else ArrowStore(uri, parsed)


def _info(prefix: str, entry: "os.DirEntry[str]") -> Optional[ObjectInfo]:
    """``None`` for a folder, and for a file that is removed while its folder is read."""
    try:
        return ObjectInfo(prefix + entry.name, entry.stat().st_size) if entry.is_file() else None
    except FileNotFoundError:
        return None


class FileStore(Store):
    """``file://``: plain files."""

    def __init__(self, uri: str, parsed: StorageUri) -> None:
        super().__init__(uri)
        self._root = os.path.join(parsed.path, parsed.namespace)

    def get(self, key: str) -> Optional[bytes]:
        return self._read(key, lambda file: file.read())

    def get_range(self, key: str, offset: int, length: int) -> Optional[bytes]:
        def read(file: Any) -> bytes:
            file.seek(offset)
            return file.read(length)

        return self._read(key, read)

    def _read(self, key: str, read: Any) -> Optional[bytes]:
        try:
            with open(os.path.join(self._root, key), "rb", buffering=0) as file:
                return self._count(read(file))
        except FileNotFoundError:
            self.requests += 1
            return None
        except OSError as error:
            raise _unavailable(self.uri, error) from error

    def list(self, prefix: str) -> List[ObjectInfo]:
        self.requests += 1
        try:
            with os.scandir(os.path.join(self._root, prefix)) as entries:
                found = [info for entry in entries if (info := _info(prefix, entry)) is not None]
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as error:
            raise _unavailable(self.uri, error) from error
        return sorted(found)

    def put(self, key: str, body: bytes) -> None:
        self.requests += 1
        path = os.path.join(self._root, key)
        temporary = os.path.join(self._root, ".tmp", uuid.uuid4().hex)
        try:
            for folder in (os.path.dirname(temporary), os.path.dirname(path)):
                os.makedirs(folder, exist_ok=True)
            with open(temporary, "wb") as file:
                file.write(body)
            os.rename(temporary, path)
        except OSError as error:
            raise _unavailable(self.uri, error) from error

    def delete(self, key: str) -> None:
        self.requests += 1
        try:
            os.unlink(os.path.join(self._root, key))
        except FileNotFoundError:
            pass
        except OSError as error:
            raise _unavailable(self.uri, error) from error


class ArrowStore(Store):
    """``s3://``, ``gs://`` and ``az://`` by the file systems of pyarrow, with the vendors' own variables and files for credentials.

    pyarrow asks for the length of an object once, when it opens it; a few objects are kept open.
    """

    def __init__(self, uri: str, parsed: StorageUri) -> None:
        super().__init__(uri)
        self._system, path = _file_system(parsed)
        self._root = f"{path}/{parsed.namespace}/"
        self._open: "OrderedDict[str, Any]" = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: str) -> Optional[bytes]:
        return self._attempt(lambda: self._count(self._file(key).read_at(self._file(key).size(), 0)))

    def get_range(self, key: str, offset: int, length: int) -> Optional[bytes]:
        return self._attempt(lambda: self._count(self._file(key).read_at(length, offset)))

    def _file(self, key: str) -> Any:
        with self._lock:
            if key in self._open:
                self._open.move_to_end(key)
                return self._open[key]
        self.requests += 1
        file = self._system.open_input_file(self._root + key)
        with self._lock:
            self._open[key] = file
            if len(self._open) > _OPEN_FILES:
                self._open.popitem(last=False)
        return file

    def list(self, prefix: str) -> List[ObjectInfo]:
        from pyarrow.fs import FileSelector, FileType

        self.requests += 1
        selector = FileSelector(self._root + prefix, allow_not_found=True)
        found = self._attempt(lambda: self._system.get_file_info(selector)) or []
        return sorted(ObjectInfo(prefix + info.base_name, info.size) for info in found if info.type == FileType.File)

    def put(self, key: str, body: bytes) -> None:
        def write() -> None:
            with self._system.open_output_stream(self._root + key) as stream:
                stream.write(body)

        self.requests += 1
        self._attempt(write)

    def delete(self, key: str) -> None:
        self.requests += 1
        self._attempt(lambda: self._system.delete_file(self._root + key))

    def _attempt(self, work: Any) -> Any:
        try:
            return work()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise _unavailable(self.uri, error) from error


def _file_system(uri: StorageUri):
    import pyarrow.fs as fs

    endpoint = uri.parameters.get("endpoint")
    place = urlsplit(endpoint) if endpoint else None
    options = {} if place is None else {"endpoint_override": place.netloc, "scheme": place.scheme}
    if uri.scheme == "s3":
        region = uri.parameters.get("region") or os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION")
        endpoint = os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL")
        if place is None and endpoint:
            place = urlsplit(endpoint)
            options = {"endpoint_override": place.netloc, "scheme": place.scheme}
        return _s3({**options, **({} if region in (None, "auto") else {"region": region})}), uri.path
    if uri.scheme == "gs":
        account = uri.parameters.get("service_account")
        if account:
            os.environ.setdefault("GOOGLE_APPLICATION_CREDENTIALS", account)
        return fs.GcsFileSystem(**options, anonymous=place is not None and place.scheme == "http"), uri.path
    account, _, path = uri.path.partition("/")
    key = os.environ.get("AZURE_STORAGE_ACCOUNT_KEY") or os.environ.get("AZURE_STORAGE_KEY")
    authority = {} if place is None else {"blob_storage_authority": place.netloc, "blob_storage_scheme": place.scheme}
    return fs.AzureFileSystem(account, account_key=key, **authority), path


def _s3(options: Any) -> Any:
    """Small objects are put by one request where pyarrow can delay the opening of an object; otherwise each is an upload of several parts."""
    import pyarrow.fs as fs

    try:
        return fs.S3FileSystem(**options, allow_delayed_open=True)
    except TypeError:
        return fs.S3FileSystem(**options)


def _unavailable(uri: str, error: OSError) -> GraphDBError:
    return GraphDBError(f"the store {uri} cannot be used: {error}", "STORE_UNAVAILABLE")
