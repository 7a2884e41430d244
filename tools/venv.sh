# Sourced by ./run and ./test: makes .venv and installs Quinconce in it, once.
#
#   here=…         the folder of the project
#   install EXTRA  leaves the ready environment in $here/.venv; EXTRA is empty or like [dev]

install() {
    venv=$here/.venv
    stamp=$venv/installed$1
    # What is installed depends on these files only; a change in one of them installs anew.
    wanted=$(cat "$here/pyproject.toml" "$here/hatch_build.py" "$here"/src/quinconce/words/*/*/*.po | cksum)
    if [ -x "$venv/bin/python" ] && [ "$(cat "$stamp" 2>/dev/null)" = "$here $wanted" ]; then
        return
    fi
    echo "Quinconce: setting up $venv …" >&2
    case $(cat "$venv/installed" 2>/dev/null || echo "$here ") in
    "$here "*) ;;
    *) rm -rf "$venv" ;; # the folder was moved, and the scripts in .venv name the old place
    esac
    if command -v uv >/dev/null 2>&1; then
        "$venv/bin/python" -c '' 2>/dev/null || {
            rm -rf "$venv"
            uv venv --quiet --python '>=3.11' "$venv"
        }
        uv pip install --quiet --python "$venv/bin/python" --editable "$here$1"
    else
        if ! "$venv/bin/python" -m pip --version >/dev/null 2>&1; then
            find_python
            rm -rf "$venv"
            "$python" -m venv "$venv"
        fi
        "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --editable "$here$1"
    fi
    echo "$here $wanted" >"$venv/installed" # every extra includes Quinconce itself
    echo "$here $wanted" >"$stamp"
}

find_python() {
    for python in python3 python3.14 python3.13 python3.12 python3.11; do
        if "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            "$python" -c 'import ensurepip, venv' 2>/dev/null && return
            echo "Python's venv is missing. Install it with: sudo apt-get install python3-venv" >&2
            exit 2
        fi
    done
    echo "Quinconce needs Python 3.11 or newer (python3 is $(python3 --version 2>&1))." >&2
    exit 2
}

# What some tests need and the system has or gives; each returns 1, having said how to get it,
# where it does not.
#
# Chromium without windows takes half the processor time of the whole browser; where that one is
# there and Debian is not known to have the other, it does.
need_chromium() {
    has_headless_shell && return
    if ! has_chromium || apt-cache show chromium-headless-shell >/dev/null 2>&1; then
        install_package chromium-headless-shell || has_chromium ||
            debian_package chromium "the tests of the pages"
    fi
    has_chromium
}

need_postgresql() {
    has_postgresql || debian_package postgresql "the tests on PostgreSQL" && has_postgresql
}

has_headless_shell() {
    command -v chromium-headless-shell >/dev/null 2>&1
}

has_chromium() {
    has_headless_shell || command -v chromium >/dev/null 2>&1 ||
        command -v chromium-browser >/dev/null 2>&1 || command -v google-chrome >/dev/null 2>&1
}

has_postgresql() {
    command -v initdb >/dev/null 2>&1 || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1
}

# Installs a package of Debian's for a purpose, or says how to get it.
debian_package() {
    install_package "$1" && return
    echo "Left out: $2. To run them, install $1 (Debian: sudo apt-get install $1)." >&2
    return 1
}

# Installs a package of Debian's, as root or with a sudo that asks nothing. Another installation
# may be under way: it is waited for, and where it holds the lists, it brings them up to date.
install_package() {
    command -v apt-get >/dev/null 2>&1 && find_root || return
    echo "Quinconce: installing $1 …" >&2
    $as_root apt-get -qq update || true
    $as_root apt-get -qq -o DPkg::Lock::Timeout=600 install --yes "$1" >/dev/null
}

# Leaves in $as_root what goes before a command of root's.
find_root() {
    as_root=
    [ "$(id -u)" = 0 ] && return
    as_root=sudo
    sudo -n true 2>/dev/null
}
