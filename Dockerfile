# A slim Debian image: the embedded server is a glibc binary, so not Alpine.
FROM python:3.13-slim-trixie AS build
WORKDIR /src
# For the solver's kernel, which the image that runs takes over as it was built.
RUN apt-get update \
    && apt-get install -y --no-install-recommends gcc libc6-dev \
    && rm -rf /var/lib/apt/lists/*
COPY requirements.lock pyproject.toml hatch_build.py README.md LICENSE ./
RUN python3 -m venv /opt/ramparts \
    && /opt/ramparts/bin/pip install --no-cache-dir --disable-pip-version-check --require-hashes -r requirements.lock
COPY rules rules
COPY solver solver
COPY protocol protocol
COPY server server
COPY client client
COPY cli cli
RUN /opt/ramparts/bin/pip install --no-cache-dir --disable-pip-version-check --no-deps .

FROM python:3.13-slim-trixie
RUN useradd --system --uid 10001 --create-home ramparts \
    && mkdir /data && chown ramparts /data
COPY --from=build /opt/ramparts /opt/ramparts
ENV PATH=/opt/ramparts/bin:$PATH \
    RAMPARTS_HOST=0.0.0.0 \
    RAMPARTS_PORT=8000 \
    RAMPARTS_DATA_DIR=/data
USER ramparts
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/readyz', timeout=2)"]
CMD ["ramparts", "serve"]
